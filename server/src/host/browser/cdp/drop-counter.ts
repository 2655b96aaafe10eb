/** An operation that the host abandoned. */
export interface Drop {
  /** A CDP method, or a name of this project for other operations. */
  what: string;
  /** Number of times since the browser started. */
  count: number;
  /** Cause of the newest case. */
  cause: string;
}

/**
 * Counts abandoned operations by name. Reports only the first, second, fourth, eighth case and so on. So no
 * page can flood the log.
 */
export class DropCounter {
  readonly #counts = new Map<string, number>();

  constructor(private readonly onDropped: (drop: Drop) => void = () => undefined) {}

  /** Number of times that each operation was abandoned. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(what: string, cause: string): void {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    if (Number.isInteger(Math.log2(count))) this.onDropped({ what, count, cause });
  }
}
