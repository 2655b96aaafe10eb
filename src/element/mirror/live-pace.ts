/** Minimum time between announcements in milliseconds. A screen reader needs this time to speak. */
const EVERY_MS = 1_000;

/**
 * Delays changes of live regions, so that a screen reader can speak the previous change. Then announces the
 * newest state.
 */
export class LivePace {
  #waiting = new Set<number>();
  #last = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param announce mirrors the given nodes, which makes a screen reader announce them */
  constructor(private readonly announce: (ids: ReadonlySet<number>) => void) {}

  /** Adds changed nodes of live regions. */
  take(ids: Iterable<number>): void {
    for (const id of ids) this.#waiting.add(id);
    if (this.#waiting.size === 0 || this.#timer !== undefined) return;
    const rest = this.#last + EVERY_MS - performance.now();
    if (rest <= 0) this.#notify();
    else this.#timer = setTimeout(() => this.#notify(), rest);
  }

  /** Drops all waiting changes. */
  clear(): void {
    this.#waiting.clear();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #notify(): void {
    this.#timer = undefined;
    this.#last = performance.now();
    const ids = this.#waiting;
    this.#waiting = new Set();
    this.announce(ids);
  }
}
