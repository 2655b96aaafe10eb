/** Holds the page's long timers until a test runs them. Shorter timers are not changed. */
export class HeldTimers {
  readonly #set = window.setTimeout.bind(window);
  readonly #clear = window.clearTimeout.bind(window);
  readonly #held = new Map<number, () => void>();
  #last = 0;

  /** @param shortest shortest time of a held timer in milliseconds */
  constructor(shortest: number) {
    const hold = (run: () => void, wait = 0): number => {
      if (wait < shortest) return this.#set(run, wait);
      this.#last -= 1;
      this.#held.set(this.#last, run);
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

  /** Runs the held timers, as if their time had passed. */
  run(): void {
    for (const [timer, act] of this.#held) if (this.#held.delete(timer)) act();
  }

  restore(): void {
    Object.assign(window, { setTimeout: this.#set, clearTimeout: this.#clear });
  }
}
