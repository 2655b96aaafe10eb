/** What may be sent at once after a rest, as seconds of the bit rate: enough for a key frame and its refinement. */
const BURST_SECONDS = 1;
/** The share of the burst from which on frames get coarser. */
const STRAIN_START = 0.5;

/**
 * Keeps a stream within a bit rate: what is sent fills a bucket that empties at that rate. It counts real time, not frames as
 * an encoder would, because frames come when something changes: after a rest the bucket is empty, so a click never waits.
 */
export class BitBudget {
  readonly #burst: number;
  #level = 0;
  #seen: number;

  /**
   * @param bitsPerSecond on average over more than a second
   * @param now milliseconds on a monotonic clock
   */
  constructor(
    private readonly bitsPerSecond: number,
    private readonly now: () => number,
  ) {
    this.#burst = bitsPerSecond * BURST_SECONDS;
    this.#seen = now();
  }

  /** How scarce bits are: from 0, plenty, to 1, spent. */
  get strain(): number {
    const share = this.#drained() / this.#burst;
    return Math.min(1, Math.max(0, (share - STRAIN_START) / (1 - STRAIN_START)));
  }

  /** Milliseconds until another frame may be sent; 0 when one may be now. */
  get wait(): number {
    return Math.max(0, ((this.#drained() - this.#burst) / this.bitsPerSecond) * 1000);
  }

  /** So many bytes were sent. */
  spend(bytes: number): void {
    this.#level = this.#drained() + bytes * 8;
  }

  #drained(): number {
    const now = this.now();
    this.#level = Math.max(0, this.#level - ((now - this.#seen) / 1000) * this.bitsPerSecond);
    this.#seen = now;
    return this.#level;
  }
}
