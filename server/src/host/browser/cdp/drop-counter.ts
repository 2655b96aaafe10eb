/** Something that the host did not wait for any longer, or could not do. */
export interface Drop {
  /** A CDP method, or a name of ours for what is no CDP command. */
  what: string;
  /** How often this happened in this browser's life. */
  count: number;
  /** What is known of the newest case. */
  cause: string;
}

/** Counts what the host gave up, by name. Tells of the first, second, fourth, eighth…: no page can flood the log. */
export class DropCounter {
  readonly #counts = new Map<string, number>();

  constructor(private readonly onDropped: (drop: Drop) => void = () => undefined) {}

  /** How often each thing was given up. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(what: string, cause: string): void {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    if (Number.isInteger(Math.log2(count))) this.onDropped({ what, count, cause });
  }
}
