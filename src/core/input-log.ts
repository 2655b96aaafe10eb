/** How many sent events are remembered: far more than are under way within {@link MAX_LATENCY_MS}. */
const CAPACITY = 1024;
/** An event that shows only after so long changed nothing itself. */
const MAX_LATENCY_MS = 1000;
/** Numbers of events have 32 bits. */
const SEQ_LIMIT = 2 ** 32;

/** Numbers a connection's input events and tells how long each took to show on the screen. */
export class InputLog {
  readonly #sentAt = new Float64Array(CAPACITY);
  #last = 0;
  #shown = 0;

  /** The number of the next event. 32 bits, wraps, never 0. */
  next(now: number): number {
    this.#last = (this.#last + 1) % SEQ_LIMIT || 1;
    this.#sentAt[this.#last % CAPACITY] = now;
    return this.#last;
  }

  /**
   * To be called when a frame is painted, with its `inputSeq`. Returns the milliseconds from sending that event to
   * `now` when this is the first frame that contains it. Undefined for later frames, and for an event so old that it
   * obviously changed nothing: the frame that happens to come next then says nothing about latency.
   */
  latency(inputSeq: number, now: number): number | undefined {
    if (inputSeq === 0 || inputSeq === this.#shown) return undefined;
    this.#shown = inputSeq;
    const age = (this.#last - inputSeq + SEQ_LIMIT) % SEQ_LIMIT;
    if (age >= CAPACITY) return undefined;
    const latency = now - (this.#sentAt[inputSeq % CAPACITY] ?? 0);
    return latency <= MAX_LATENCY_MS ? latency : undefined;
  }

  /** A new connection counts from the start. */
  reset(): void {
    this.#last = 0;
    this.#shown = 0;
  }
}
