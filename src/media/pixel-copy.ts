import type { PacketArea } from '../protocol/index.js';
import { PaintTrial } from './paint-trial.js';
import { copiesRgbx, copyRgbx, RGBX_BYTES } from './rgbx-copy.js';

/** Copies the changed area of frames to a canvas. This is one of the two ways of painting, see `Painter`. */
export class PixelCopy {
  /** Buffer between the frame and the canvas. */
  #pixels = new ArrayBuffer(0);

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly context: CanvasRenderingContext2D,
    /** Decides between drawing and copying. */
    readonly trial = new PaintTrial(),
  ) {}

  /**
   * Copies an area of a frame to the canvas. Returns false if the browser cannot copy the frame. After that,
   * pictures are only drawn.
   */
  async copy(frame: VideoFrame, area: PacketArea): Promise<boolean> {
    const start = performance.now();
    const rect = evenRect(area, this.canvas);
    const bytes = rect.width * rect.height * RGBX_BYTES;
    if (bytes === 0) return true;
    if (this.#pixels.byteLength < bytes) this.#pixels = new ArrayBuffer(bytes);
    const data = new Uint8ClampedArray(this.#pixels, 0, bytes);
    // Not every browser converts colours here, and some browsers convert only some frames.
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

/** Prepares copying. Returns undefined if copying produces wrong colours. Never rejects. */
export async function openPixelCopy(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
): Promise<PixelCopy | undefined> {
  return (await copiesRgbx()) ? new PixelCopy(canvas, context) : undefined;
}

/**
 * Returns the part of the changed area that is inside the picture. Neighbouring pixels share their colour
 * samples, so the area starts at even pixels.
 */
function evenRect(area: PacketArea, { width, height }: HTMLCanvasElement): DOMRectReadOnly {
  const x = area.x & ~1;
  const y = area.y & ~1;
  const right = Math.min(area.x + area.width, width);
  const bottom = Math.min(area.y + area.height, height);
  return new DOMRectReadOnly(x, y, Math.max(0, right - x), Math.max(0, bottom - y));
}
