/** What may stay open in all, bytes: half a second of 1280x720 at 30 frames a second. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Of large pictures, for which that is little. */
const MIN_FRAMES = 4;
/** Sizes whose first picture stays open; people resize a few times, a program may do so without end. */
const MAX_FIRSTS = 4;
const BYTES_PER_PIXEL = 4;

/**
 * Keeps the pictures of a page open for as long as pages use them: a renderer uploads one some frames after it got it, and one that
 * keeps a single picture keeps the first, as its texture's size. All others are closed late: left to the garbage collector,
 * pictures of a third of a gigabyte pile up, and each collection stops the page for some 60 ms.
 */
export class FrameShelf {
  #recent: ImageBitmap[] = [];
  #firsts: ImageBitmap[] = [];
  #size = '';

  add(frame: ImageBitmap): void {
    const size = `${frame.width}x${frame.height}`;
    if (size === this.#size) this.#recent.push(frame);
    else this.#firsts.push(frame);
    this.#size = size;
    // The very first one stays.
    if (this.#firsts.length > MAX_FIRSTS) this.#recent.push(...this.#firsts.splice(1, 1));
    let bytes = this.#recent.reduce((sum, each) => sum + bytesOf(each), 0);
    while (bytes > MAX_BYTES && this.#recent.length > MIN_FRAMES) {
      const oldest = this.#recent.shift();
      if (!oldest) return;
      bytes -= bytesOf(oldest);
      oldest.close();
    }
  }

  /** What is open is the page's from here on: it may still draw its last picture. */
  clear(): void {
    this.#recent = [];
    this.#firsts = [];
  }
}

function bytesOf({ width, height }: ImageBitmap): number {
  return width * height * BYTES_PER_PIXEL;
}
