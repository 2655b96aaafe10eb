import type { PacketArea } from '../protocol/index.js';
import { PaintTrial } from './paint-trial.js';
import { copiesRgbx, copyRgbx, RGBX_BYTES } from './rgbx-copy.js';

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
  readonly #trial: PaintTrial;
  /** A sample came out right; until then pictures are drawn. */
  #copiesRight = false;
  /** Pixels on their way from the frame to the canvas. */
  #pixels = new ArrayBuffer(0);

  /**
   * Throws when the canvas is already used with another kind of context.
   *
   * @param copies whether copying gives the right colours here; must not reject
   */
  constructor(canvas: HTMLCanvasElement, trial = new PaintTrial(), copies = copiesRgbx) {
    this.#trial = trial;
    const context = canvas.getContext('2d', { alpha: false, desynchronized: true });
    if (!context) throw new Error('The canvas cannot be painted: it is in use with another context.');
    this.#canvas = canvas;
    this.#context = context;
    void copies().then((right) => {
      this.#copiesRight = right;
      if (!right) trial.refuse();
    });
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
      this.#trial.restart();
    } else if (isFrame && this.#trial.way === 'copy' && this.#copiesRight) {
      return this.#copy(image, area);
    }
    const start = performance.now();
    this.#draw(image);
    if (isFrame) this.#trial.took('draw', performance.now() - start);
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

  async #copy(frame: VideoFrame, area: PacketArea): Promise<void> {
    const start = performance.now();
    const rect = evenRect(area, this.#canvas);
    const bytes = rect.width * rect.height * RGBX_BYTES;
    if (bytes === 0) return;
    if (this.#pixels.byteLength < bytes) this.#pixels = new ArrayBuffer(bytes);
    const data = new Uint8ClampedArray(this.#pixels, 0, bytes);
    // Not every browser converts colours here, nor from every frame.
    const copied = await copyRgbx(frame, rect, data).catch(() => false);
    if (!copied) {
      this.#trial.refuse();
      this.#draw(frame);
      return;
    }
    this.#context.putImageData(new ImageData(data, rect.width, rect.height), rect.x, rect.y);
    this.#trial.took('copy', performance.now() - start);
  }
}

/** The changed part within the picture. Colours are shared by pairs of pixels, so it begins at even ones. */
function evenRect(area: PacketArea, { width, height }: HTMLCanvasElement): DOMRectReadOnly {
  const x = area.x & ~1;
  const y = area.y & ~1;
  const right = Math.min(area.x + area.width, width);
  const bottom = Math.min(area.y + area.height, height);
  return new DOMRectReadOnly(x, y, Math.max(0, right - x), Math.max(0, bottom - y));
}
