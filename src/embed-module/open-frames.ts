/**
 * Maximum bytes of the open bitmaps. The first bitmap of each size does not count. The limit allows half a
 * second of 1280x720 at 30 frames per second.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/** Number of bitmaps that stay open even if they exceed {@link MAX_BYTES}. */
const MIN_FRAMES = 4;
/**
 * Number of sizes for which the first bitmap stays open. Users resize a few times, but a program may resize
 * endlessly.
 */
const MAX_FIRSTS = 4;
const BYTES_PER_PIXEL = 4;

/**
 * Closes the bitmaps of a page some time after the page received them, so that the page can use them first. A
 * page's renderer uploads a bitmap a few frames later. Some renderers keep the first bitmap, because it
 * determines the size of their texture. If this class did not close bitmaps, the garbage collector would have
 * to free them. A third of a gigabyte would accumulate, and each collection would block the page for about 60
 * ms.
 */
export class OpenFrames {
  #recent: ImageBitmap[] = [];
  #firsts: ImageBitmap[] = [];
  #size = '';

  add(frame: ImageBitmap): void {
    const size = `${frame.width}x${frame.height}`;
    if (size === this.#size) this.#recent.push(frame);
    else this.#firsts.push(frame);
    this.#size = size;
    // The first bitmap of all always stays open.
    if (this.#firsts.length > MAX_FIRSTS) this.#recent.push(...this.#firsts.splice(1, 1));
    let bytes = this.#recent.reduce((sum, each) => sum + bytesOf(each), 0);
    while (bytes > MAX_BYTES && this.#recent.length > MIN_FRAMES) {
      const oldest = this.#recent.shift();
      if (!oldest) return;
      bytes -= bytesOf(oldest);
      oldest.close();
    }
  }

  /** Forgets the open bitmaps without closing them. The page may still draw the last one. */
  clear(): void {
    this.#recent = [];
    this.#firsts = [];
  }
}

function bytesOf({ width, height }: ImageBitmap): number {
  return width * height * BYTES_PER_PIXEL;
}
