import type { Clock } from '../../server/src/platform/time/clock.js';

/** Counts the statements of a database by name, and the changes of each row per second of the clock. */
export class Counted {
  readonly #statements = new Map<string, number>();
  readonly #rows = new Map<string, { second: number; count: number; sum: number }>();
  #from = 0;
  #second = -1;
  #inSecond = 0;
  #peak = 0;
  #hottest = { row: '', count: 0 };

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  note(name: string, row?: string): void {
    const second = Math.floor(this.clock.now() / 1000);
    if (name !== '') this.#noteStatement(name, second);
    if (row !== undefined) this.#noteRow(row, second);
  }

  /** Counts from here. */
  reset(): void {
    this.#statements.clear();
    this.#rows.clear();
    this.#from = this.clock.now();
    this.#inSecond = this.#peak = 0;
    this.#hottest = { row: '', count: 0 };
  }

  /** Statements a second since {@link reset}, in all or of some names. */
  perSecond(...names: string[]): number {
    const counts = [...this.#statements].filter(([name]) => names.length === 0 || names.includes(name));
    return counts.reduce((sum, [, count]) => sum + count, 0) / ((this.clock.now() - this.#from) / 1000);
  }

  /** The most statements in one second. */
  get peak(): number {
    return this.#peak;
  }

  /** The most changes of one row in one second. */
  get hottest(): { row: string; count: number } {
    return this.#hottest;
  }

  #noteStatement(name: string, second: number): void {
    this.#statements.set(name, (this.#statements.get(name) ?? 0) + 1);
    this.#inSecond = second === this.#second ? this.#inSecond + 1 : 1;
    this.#second = second;
    this.#peak = Math.max(this.#peak, this.#inSecond);
  }

  #noteRow(row: string, second: number): void {
    const before = this.#rows.get(row);
    const count = before?.second === second ? before.count + 1 : 1;
    this.#rows.set(row, { second, count, sum: (before?.sum ?? 0) + 1 });
    if (count > this.#hottest.count) this.#hottest = { row, count };
  }
}
