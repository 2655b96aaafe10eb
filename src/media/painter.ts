import type { PacketArea } from '../protocol/index.js';
import type { PixelCopy } from './pixel-copy.js';

/** Gives the other way of painting; undefined where it gives wrong colours. */
type OpenCopying = (
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
) => Promise<PixelCopy | undefined>;

/** Loaded beside the first picture. */
const openPixelCopy: OpenCopying = async (canvas, context) =>
  (await import('./pixel-copy.js')).openPixelCopy(canvas, context);

/**
 * Puts pictures on a canvas, pixel for pixel, the moment they come: a picture that is drawn over before the screen
 * is refreshed costs little, one that waits for the next animation frame costs its latency.
 *
 * There are two ways. `drawImage` is right where a GPU paints. Without one it converts the whole frame in pieces on
 * threads of low priority and waits for them: 5 to 30 ms where copying the changed part out of the frame and putting it on the
 * canvas takes 1 to 3 (1280x720, Chromium 156, two cores). A trial finds out which way is faster here; a sample must have
 * shown that copying gives the right colours.
 */
export class Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #copying: PixelCopy | undefined;

  /**
   * Throws when the canvas is already used with another kind of context.
   *
   * @param open without it, or when it fails, pictures are drawn
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

  /**
   * Paints a picture, which differs in `area` from the one before; the canvas takes its size. The image stays the caller's to
   * close, after the promise if there is one; the next picture has to wait for it as well. The promise never rejects unless
   * the image is closed too early.
   */
  paint(image: VideoFrame | ImageBitmap, area: PacketArea): Promise<void> | undefined {
    const isFrame = 'copyTo' in image;
    const width = isFrame ? image.displayWidth : image.width;
    const height = isFrame ? image.displayHeight : image.height;
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      // Setting a size clears the canvas: the whole picture is drawn.
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#copying?.trial.restart();
    } else if (isFrame && this.#copying?.trial.way === 'copy') {
      return this.#copy(this.#copying, image, area);
    }
    const start = performance.now();
    this.#draw(image);
    if (isFrame) this.#copying?.trial.took('draw', performance.now() - start);
    return undefined;
  }

  /** WebKit draws a frame's padding too, all in the size of the visible part: so all is made visible, and the canvas cuts it off. */
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
