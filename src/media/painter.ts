/** A picture, its visible part at the top left; the rest is the encoder's padding. */
export interface Paintable {
  image: VideoFrame | ImageBitmap;
  width: number;
  height: number;
}

/**
 * Puts pictures on a canvas, pixel for pixel, the moment they come: a picture that is drawn over before the screen
 * is refreshed costs little, one that waits for the next animation frame costs its latency. The canvas stays on the
 * main thread. A worker that decoded and painted an OffscreenCanvas was tried against doing both here: from socket to
 * screen 17.6 ms against 13.2 in the median and 69 against 27 at the 95th percentile (120 frames each, Chromium 156
 * without a GPU, two busy cores). How much of the median is the painting and how much the way to a worker was not
 * taken apart.
 */
export class Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;

  /** Throws when the canvas is already used with another kind of context. */
  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false, desynchronized: true });
    if (!context) throw new Error('The canvas cannot be painted: it is in use with another context.');
    this.#canvas = canvas;
    this.#context = context;
  }

  /** The canvas takes the picture's size. The image stays the caller's to close. */
  paint({ image, width, height }: Paintable): void {
    // Setting a size clears the canvas, so only a change may do it.
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    this.#context.drawImage(image, 0, 0, width, height, 0, 0, width, height);
  }
}
