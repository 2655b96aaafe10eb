/** Increase of the quantiser that halves the bytes of a picture. */
const STEPS_TO_HALF = 6;
/**
 * Bytes per pixel at quantiser 0 when a page of text appears. At quantiser 24, such a page needs a sixteenth
 * of these bytes.
 */
const TEXT = 1.6;
/**
 * Time since the last frame after which the next change is probably unrelated to the last one. Milliseconds.
 */
const REST_MS = 250;
/**
 * Coarsest quantiser that the model chooses for the page of text that it expects after a rest. Large text is
 * still readable at this quantiser.
 */
const READABLE = 40;
/**
 * Size of the smallest area from which the model learns, in pixels. In smaller areas, the fixed parts of a
 * frame would distort the estimate.
 */
const MIN_PIXELS = 4_096;
/** Weight of a new value that is smaller than the estimate. A larger value replaces the estimate at once. */
const ADAPTION = 0.3;

/**
 * Predicts the bytes of a changed area from the bytes of earlier areas. After a rest, the model expects at
 * least as many bytes as a page of text needs. During movement, the model learns from each frame.
 */
export class SizeModel {
  /** Bytes per pixel at quantiser 0; 0 before the first frame. */
  #complexity = 0;
  #recordedAt = -Infinity;

  /** @param now milliseconds on a monotonic clock */
  constructor(private readonly now: () => number) {}

  /**
   * Returns the lowest quantiser, as a whole number, at which an area probably fits into this number of
   * bytes.
   */
  quantiserFor(pixels: number, bytes: number): number {
    const isResting = this.now() - this.#recordedAt > REST_MS;
    const quantiser = (complexity: number) =>
      Math.ceil(STEPS_TO_HALF * Math.log2((complexity * pixels) / Math.max(1, bytes)));
    const learned = quantiser(this.#complexity);
    return isResting ? Math.max(learned, Math.min(READABLE, quantiser(TEXT))) : learned;
  }

  /** Records the bytes of an area that was encoded with this quantiser. */
  record(pixels: number, quantiser: number, bytes: number): void {
    if (pixels < MIN_PIXELS) return;
    const found = (bytes / pixels) * 2 ** (quantiser / STEPS_TO_HALF);
    const share = found > this.#complexity ? 1 : ADAPTION;
    this.#complexity += (found - this.#complexity) * share;
    this.#recordedAt = this.now();
  }
}
