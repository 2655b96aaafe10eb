/** Does a few things at once and lets the others wait for their turn. */
export class Lanes {
  readonly #waiting: (() => void)[] = [];

  /** @param free things that may be under way at once, from 1 on */
  constructor(private free: number) {}

  /** Does a thing when a lane is free; settles as it does. */
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
