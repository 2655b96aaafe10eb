/** Holds the page's long timers until a test runs them. Shorter timers are not changed. */
export class HeldTimers {
  readonly #set = window.setTimeout.bind(window);
  readonly #clear = window.clearTimeout.bind(window);
  readonly #held = new Map<number, { run: () => void; wait: number }>();
  #last = 0;

  /** @param shortest shortest time of a held timer in milliseconds */
  constructor(shortest: number) {
    const hold = (run: () => void, wait = 0): number => {
      if (wait < shortest) return this.#set(run, wait);
      this.#last -= 1;
      this.#held.set(this.#last, { run, wait });
      return this.#last;
    };
    const release = (timer?: number): void => {
      if (timer === undefined || !this.#held.delete(timer)) this.#clear(timer);
    };
    Object.assign(window, { setTimeout: hold, clearTimeout: release });
  }

  /** The number of held timers that were set so far. */
  get started(): number {
    return -this.#last;
  }

  /** The number of held timers that are set now. */
  get size(): number {
    return this.#held.size;
  }

  /** True if a timer of this many milliseconds is held. */
  has(wait: number): boolean {
    return [...this.#held.values()].some((timer) => timer.wait === wait);
  }

  /** Runs the held timers, as if their time had passed. With `wait`, runs only timers of this time. */
  run(wait?: number): void {
    for (const [id, timer] of this.#held)
      if ((wait === undefined || timer.wait === wait) && this.#held.delete(id)) timer.run();
  }

  restore(): void {
    Object.assign(window, { setTimeout: this.#set, clearTimeout: this.#clear });
  }
}
