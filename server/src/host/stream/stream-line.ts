import type { LineMeter } from './line-meter.js';

/** Maximum time that the line needs to transmit a picture that is not a refinement, milliseconds. */
const FRAME_MS = 50;
/**
 * Bytes of the first picture after a rest, if the line loses packets. With fewer packets, it is less likely
 * that one of them is lost and delays the picture.
 */
const FEW_PACKETS = 2_600;
/**
 * Bytes of a picture while all lines are new, see {@link LineMeter.isNew}. TCP begins with 14 kB and doubles
 * this amount with each round trip. So it sends a picture of this size in three bursts, and a full picture of
 * 200 kB in four. A line of 1.6 Mbit/s needs a second for the full picture.
 */
const NEW_BYTES = 48_000;
/** Time without a frame after which the next picture counts as the first after a rest, milliseconds. */
const REST_MS = 250;
/**
 * Maximum time that the line needs to transmit one frame of a refinement, milliseconds. A change that happens
 * meanwhile waits at most this long.
 */
const BAND_MS = 15;
/** Share of the line that refinements use. */
const SHARE = 0.7;
/**
 * Time after input in which no refinement is sent, because the picture that shows the effect of the input
 * follows soon. Milliseconds.
 */
const INPUT_MS = 100;

/**
 * Limits of a stream that follow from the lines (network connections) of its viewers. All viewers of a stream
 * receive the same frames. A viewer with a slow line must not limit the others, so the fastest line counts.
 * There are limits only while all lines are slow, all lines are new, or all lines lose packets.
 */
export class StreamLine {
  #inputAt = -Infinity;
  /**
   * Time at which the line would have transmitted all sent bytes if it used only {@link SHARE} of its rate.
   */
  #freeAt = -Infinity;
  #sentAt = -Infinity;

  /**
   * @param viewers current viewers of the stream. The caller adds and removes them
   * @param now milliseconds on a monotonic clock
   */
  constructor(
    private readonly viewers: ReadonlySet<{ readonly delivery: { readonly line: LineMeter } }>,
    private readonly now: () => number,
  ) {}

  get frameBytes(): number {
    if (this.#isNew) return NEW_BYTES;
    const isFirst = this.now() - this.#sentAt > REST_MS;
    return Math.min(this.#rate * FRAME_MS, isFirst && this.#isLossy ? FEW_PACKETS : Infinity);
  }

  get bandBytes(): number {
    return this.#rate * BAND_MS;
  }

  /** Milliseconds until the next refinement may be sent. */
  get refinementWait(): number {
    if (this.#rate === Infinity) return 0;
    return Math.max(0, this.#inputAt + INPUT_MS - this.now(), this.#freeAt - this.now());
  }

  inputCame(): void {
    this.#inputAt = this.now();
  }

  /** Records the bytes of a frame. */
  sent(bytes: number): void {
    const rate = this.#rate * SHARE;
    const now = this.now();
    this.#sentAt = now;
    this.#freeAt = Math.max(now, this.#freeAt) + bytes / rate;
  }

  /** True if the stream has viewers and all their lines are new, see {@link LineMeter.isNew}. */
  get #isNew(): boolean {
    for (const { delivery } of this.viewers) if (!delivery.line.isNew) return false;
    return this.viewers.size > 0;
  }

  /** True if all lines lose packets. */
  get #isLossy(): boolean {
    for (const { delivery } of this.viewers) if (!delivery.line.isLossy) return false;
    return true;
  }

  /** Bytes per millisecond of the fastest line. Infinity if a line is fast or not known. */
  get #rate(): number {
    let rate = 0;
    for (const { delivery } of this.viewers) rate = Math.max(rate, delivery.line.rate);
    return rate === 0 ? Infinity : rate;
  }
}
