/** What may be sent at once after a while without frames, as seconds of the bit rate: a key frame and its refinement. */
const BURST_SECONDS = 1;
/** Frames get coarser from here on, as a share of the burst. */
const STRAINED = 0.5;

/**
 * Keeps a stream within a bit rate: what is sent fills a bucket that empties at that rate. In real time rather than in the
 * encoder's, because frames come when something changes: after a rest all is there again, so a click never waits.
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
    return Math.min(1, Math.max(0, (share - STRAINED) / (1 - STRAINED)));
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
