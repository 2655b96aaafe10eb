import type { PacketArea } from '../protocol/index.js';
import type { PixelCopy } from './pixel-copy.js';

/** Prepares painting by copying. Resolves to undefined if copying produces wrong colours. */
type OpenCopying = (
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
) => Promise<PixelCopy | undefined>;

/** Loads the copying code separately, so that the first picture does not wait for it. */
const openPixelCopy: OpenCopying = async (canvas, context) =>
  (await import('./pixel-copy.js')).openPixelCopy(canvas, context);

/**
 * Paints pictures on a canvas immediately, pixel for pixel. Waiting for the next animation frame would add
 * latency. A picture that is replaced before the next screen refresh costs little.
 *
 * There are two ways of painting. `drawImage` is best with a GPU. Without a GPU, it converts the whole frame
 * in pieces on low-priority threads and waits for these threads. This takes 5 to 30 ms. Copying only the
 * changed area to the canvas takes 1 to 3 ms (1280x720, Chromium 156, two cores). The painter compares both
 * ways to find the faster one on this machine. It copies only if a test showed that copying produces the
 * right colours.
 */
export class Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #copying: PixelCopy | undefined;
  /** True if the canvas has lost its pixels. Then the next picture is drawn completely. */
  #blank = false;

  /**
   * Throws if the canvas already has another kind of context.
   *
   * @param open prepares copying. If it fails, pictures are only drawn
   */
  constructor(canvas: HTMLCanvasElement, open = openPixelCopy) {
    const context = canvas.getContext('2d', { alpha: false, desynchronized: true });
    if (!context) throw new Error('The canvas cannot be painted: it is in use with another context.');
    this.#canvas = canvas;
    this.#context = context;
    open(canvas, context).then(
      (copying) => (this.#copying = copying),
      () => undefined,
    );
  }

  /** Call this when the browser has cleared the canvas. */
  cleared(): void {
    this.#blank = true;
  }

  /**
   * Paints a picture that differs in `area` from the previous one. Resizes the canvas to the picture. If it
   * returns a promise, the picture is painted when the promise resolves. Until then, the caller must not
   * close the image or paint the next picture. The promise rejects only if the image is closed too early.
   */
  paint(image: VideoFrame | ImageBitmap, area: PacketArea): Promise<void> | undefined {
    const isFrame = 'copyTo' in image;
    const width = isFrame ? image.displayWidth : image.width;
    const height = isFrame ? image.displayHeight : image.height;
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      // Resizing clears the canvas, so the whole picture is drawn.
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#copying?.trial.restart();
    } else if (!this.#blank) {
      // The frame only repeats the picture.
      if (area.width * area.height === 0) return undefined;
      if (isFrame && this.#copying?.trial.way === 'copy') return this.#copy(this.#copying, image, area);
    }
    this.#blank = false;
    const start = performance.now();
    this.#draw(image);
    if (isFrame) this.#copying?.trial.took('draw', performance.now() - start);
    return undefined;
  }

  /**
   * Draws a frame. WebKit scales the whole coded picture, with the encoder's padding, to the visible size. So
   * the frame is drawn with its padding, and the canvas crops the padding.
   */
  #draw(image: VideoFrame | ImageBitmap): void {
    const coded = 'codedRect' in image ? image.codedRect : null;
    const padded = coded && (coded.width > this.#canvas.width || coded.height > this.#canvas.height);
    const whole = padded ? new VideoFrame(image, { visibleRect: coded }) : undefined;
    this.#context.drawImage(whole ?? image, 0, 0);
    whole?.close();
  }

  async #copy(copying: PixelCopy, frame: VideoFrame, area: PacketArea): Promise<void> {
    if (!(await copying.copy(frame, area))) this.#draw(frame);
  }
}
