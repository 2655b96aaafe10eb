/**
 * Number of bits that may be sent at once after a pause, as seconds of the bit rate. The bits of one second
 * are enough for a key frame and its refinement.
 */
const BURST_SECONDS = 1;
/** Minimum frames per second of a stream. If bits are scarce, frames get coarser to reach this rate. */
const MIN_FRAMES = 14;
/** If more than this share of the burst is used, frames become coarser. */
const STRAIN_START = 0.5;

/**
 * Keeps a stream within a bit rate (leaky bucket). The rate control of an encoder assumes frames at a
 * constant rate. Here a frame is sent only after a change, so this class measures real time. After a pause
 * the bucket is empty, so the whole burst is available. The frame that shows the effect of a click is then
 * sent at once.
 */
export class BitBudget {
  readonly #burst: number;
  #level = 0;
  #seen: number;

  /**
   * @param bitsPerSecond maximum average over periods of more than a second
   * @param now milliseconds on a monotonic clock
   */
  constructor(
    private readonly bitsPerSecond: number,
    private readonly now: () => number,
  ) {
    this.#burst = bitsPerSecond * BURST_SECONDS;
    this.#seen = now();
  }

  /** Shortage of bits, from 0 (enough) to 1 (no bits left). */
  get strain(): number {
    const share = this.#drained() / this.#burst;
    return Math.min(1, Math.max(0, (share - STRAIN_START) / (1 - STRAIN_START)));
  }

  /**
   * Maximum bytes of a frame. With frames of this size, the bit rate is enough for {@link MIN_FRAMES}.
   * Infinity while bits are not scarce.
   */
  get frameBytes(): number {
    return this.strain > 0 ? this.bitsPerSecond / 8 / MIN_FRAMES : Infinity;
  }

  /** Milliseconds until another frame may be sent. 0 if a frame may be sent now. */
  get wait(): number {
    return Math.max(0, ((this.#drained() - this.#burst) / this.bitsPerSecond) * 1000);
  }

  /** Records sent bytes. */
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
