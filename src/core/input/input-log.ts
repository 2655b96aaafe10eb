/** Number of remembered sent events. A client sends fewer events than this within {@link MAX_LATENCY_MS}. */
const CAPACITY = 1024;
/**
 * Maximum time from sending an event to its first frame, in milliseconds. A frame that is painted later does
 * not count as an effect of the event.
 */
const MAX_LATENCY_MS = 1000;
/** Sequence numbers have 32 bits. */
const SEQ_LIMIT = 2 ** 32;

/**
 * Numbers the input events of a client, and measures the time until their effect is visible. The numbers
 * continue on the next connection, because the host reports the newest one that arrived on the last.
 */
export class InputLog {
  readonly #sentAt = new Float64Array(CAPACITY);
  #last = 0;
  #shown = 0;

  /** Returns the number of the next event. 32 bits, wraps, never 0. */
  next(now: number): number {
    this.#last = (this.#last + 1) % SEQ_LIMIT || 1;
    this.#sentAt[this.#last % CAPACITY] = now;
    return this.#last;
  }

  /**
   * Call this when a frame is painted, with its `inputSeq`. Returns the milliseconds from sending that event
   * to `now`, if this is the first frame with this number. Otherwise returns undefined, also if the event is
   * so old that it cannot be the cause of this frame.
   */
  latency(inputSeq: number, now: number): number | undefined {
    if (inputSeq === 0 || inputSeq === this.#shown) return undefined;
    this.#shown = inputSeq;
    const age = (this.#last - inputSeq + SEQ_LIMIT) % SEQ_LIMIT;
    if (age >= CAPACITY) return undefined;
    const latency = now - (this.#sentAt[inputSeq % CAPACITY] ?? 0);
    return latency <= MAX_LATENCY_MS ? latency : undefined;
  }
}
