/** What is announced comes no more often, whatever the remote page does: a screen reader must be able to say it. Milliseconds. */
const EVERY_MS = 1_000;

/** Holds changes of live regions back until the last ones can have been heard; the newest are announced then. */
export class LivePace {
  #waiting = new Set<number>();
  #last = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param announce has nodes mirrored, which are announced by that */
  constructor(private readonly announce: (ids: ReadonlySet<number>) => void) {}

  /** Nodes in live regions have changed. */
  take(ids: Iterable<number>): void {
    for (const id of ids) this.#waiting.add(id);
    if (this.#waiting.size === 0 || this.#timer !== undefined) return;
    const rest = this.#last + EVERY_MS - performance.now();
    if (rest <= 0) this.#tell();
    else this.#timer = setTimeout(() => this.#tell(), rest);
  }

  /** All of it is gone. */
  clear(): void {
    this.#waiting.clear();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #tell(): void {
    this.#timer = undefined;
    this.#last = performance.now();
    const ids = this.#waiting;
    this.#waiting = new Set();
    this.announce(ids);
  }
}
