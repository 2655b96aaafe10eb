import type { PacketArea } from '../protocol/index.js';
import { PaintTrial } from './paint-trial.js';

/** A picture, its visible part at the top left; the rest is the encoder's padding. */
export interface Paintable {
  image: VideoFrame | ImageBitmap;
  width: number;
  height: number;
  /** Where it differs from the picture painted before. */
  area: PacketArea;
}

/**
 * Puts pictures on a canvas, pixel for pixel, the moment they come: a picture that is drawn over before the screen
 * is refreshed costs little, one that waits for the next animation frame costs its latency. The canvas stays on the
 * main thread; painting an OffscreenCanvas in a worker was slower.
 *
 * There are two ways. `drawImage` is right where a GPU paints. Without one it converts the whole frame in pieces on
 * threads of low priority and waits for them: 5 to 30 ms where copying the changed part out of the frame and putting it on the
 * canvas takes 1 to 3 (1280x720, Chromium 156, two cores). Which one is faster here is found out by trying.
 */
export class Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #trial: PaintTrial;
  /** Pixels on their way from the frame to the canvas. */
  #pixels = new ArrayBuffer(0);

  /** Throws when the canvas is already used with another kind of context. */
  constructor(canvas: HTMLCanvasElement, trial = new PaintTrial()) {
    this.#trial = trial;
    const context = canvas.getContext('2d', { alpha: false, desynchronized: true });
    if (!context) throw new Error('The canvas cannot be painted: it is in use with another context.');
    this.#canvas = canvas;
    this.#context = context;
  }

  /**
   * The canvas takes the picture's size. The image stays the caller's to close, after the promise if there is one; the next
   * picture has to wait for it as well.
   */
  paint(picture: Paintable): Promise<void> | undefined {
    const { image, width, height } = picture;
    const fits = this.#canvas.width === width && this.#canvas.height === height;
    if (!fits) this.#resize(width, height);
    if (fits && 'copyTo' in image && this.#trial.way === 'copy') return this.#copy(image, picture);
    this.#draw(picture);
    return undefined;
  }

  /** Setting a size clears the canvas, so only a change may do it. */
  #resize(width: number, height: number): void {
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#trial.restart();
  }

  #draw({ image, width, height }: Paintable): void {
    const start = performance.now();
    this.#context.drawImage(image, 0, 0, width, height, 0, 0, width, height);
    if ('copyTo' in image) this.#trial.took('draw', performance.now() - start);
  }

  async #copy(frame: VideoFrame, picture: Paintable): Promise<void> {
    const start = performance.now();
    const rect = evenRect(picture);
    const bytes = rect.width * rect.height * 4;
    if (bytes === 0) return;
    if (this.#pixels.byteLength < bytes) this.#pixels = new ArrayBuffer(bytes);
    const data = new Uint8ClampedArray(this.#pixels, 0, bytes);
    try {
      await frame.copyTo(data, { rect, format: 'RGBX' });
      this.#context.putImageData(new ImageData(data, rect.width, rect.height), rect.x, rect.y);
    } catch {
      // Not every browser converts colours here, nor from every frame.
      this.#trial.refuse();
      this.#draw(picture);
      return;
    }
    this.#trial.took('copy', performance.now() - start);
  }
}

/** The changed part within the picture. Colours are shared by pairs of pixels, so it begins at even ones. */
function evenRect({ area, width, height }: Paintable): DOMRectReadOnly {
  const x = area.x & ~1;
  const y = area.y & ~1;
  const right = Math.min(area.x + area.width, width);
  const bottom = Math.min(area.y + area.height, height);
  return new DOMRectReadOnly(x, y, Math.max(0, right - x), Math.max(0, bottom - y));
}
