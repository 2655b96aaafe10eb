import type { PacketArea } from '../protocol/index.js';
import { PaintTrial } from './paint-trial.js';
import { copiesRgbx, copyRgbx, RGBX_BYTES } from './rgbx-copy.js';

/** Copies what has changed out of frames and puts it on a canvas: one of a painter's two ways, see `Painter`. */
export class PixelCopy {
  /** Pixels on their way from the frame to the canvas. */
  #pixels = new ArrayBuffer(0);

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly context: CanvasRenderingContext2D,
    /** Which way is to be taken. */
    readonly trial = new PaintTrial(),
  ) {}

  /** Never rejects unless the frame is closed too early. False: the browser cannot, now and from now on. */
  async copy(frame: VideoFrame, area: PacketArea): Promise<boolean> {
    const start = performance.now();
    const rect = evenRect(area, this.canvas);
    const bytes = rect.width * rect.height * RGBX_BYTES;
    if (bytes === 0) return true;
    if (this.#pixels.byteLength < bytes) this.#pixels = new ArrayBuffer(bytes);
    const data = new Uint8ClampedArray(this.#pixels, 0, bytes);
    // Not every browser converts colours here, nor from every frame.
    const copied = await copyRgbx(frame, rect, data).catch(() => false);
    if (!copied) {
      this.trial.refuse();
      return false;
    }
    this.context.putImageData(new ImageData(data, rect.width, rect.height), rect.x, rect.y);
    this.trial.took('copy', performance.now() - start);
    return true;
  }
}

/** Undefined where copying gives wrong colours. Never rejects. */
export async function openPixelCopy(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
): Promise<PixelCopy | undefined> {
  return (await copiesRgbx()) ? new PixelCopy(canvas, context) : undefined;
}

/** The changed part within the picture. Colours are shared by pairs of pixels, so it begins at even ones. */
function evenRect(area: PacketArea, { width, height }: HTMLCanvasElement): DOMRectReadOnly {
  const x = area.x & ~1;
  const y = area.y & ~1;
  const right = Math.min(area.x + area.width, width);
  const bottom = Math.min(area.y + area.height, height);
  return new DOMRectReadOnly(x, y, Math.max(0, right - x), Math.max(0, bottom - y));
}
