/** Bytes of all open bitmaps: half a second of 1280x720 at 30 frames per second. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Minimum for large frames, of which few fit. */
const MIN_FRAMES = 4;
/**
 * Number of sizes whose first bitmap stays open. People resize a few times, but a program may resize
 * endlessly.
 */
const MAX_FIRSTS = 4;
const BYTES_PER_PIXEL = 4;

/**
 * Keeps the bitmaps of a page open while pages may use them. A renderer uploads a bitmap a few frames later.
 * A renderer that keeps a single one keeps the first, as its texture's size. All others are closed late. If
 * the garbage collector had to close them, a third of a gigabyte would accumulate, and each collection would
 * stop the page for about 60 ms.
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

  /** Forgets the open bitmaps without closing them. The page may still draw its last one. */
  clear(): void {
    this.#recent = [];
    this.#firsts = [];
  }
}

function bytesOf({ width, height }: ImageBitmap): number {
  return width * height * BYTES_PER_PIXEL;
}
