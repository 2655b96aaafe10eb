/** Runs a limited number of tasks at the same time. Other tasks wait for their turn. */
export class Lanes {
  readonly #waiting: (() => void)[] = [];

  /** @param free maximum number of simultaneous tasks, at least 1 */
  constructor(private free: number) {}

  /** Number of tasks that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs a task when a lane is free, and returns its result. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
