import type { Timers } from '../../src/core/timers.js';

/** Time that moves only when a test says so. */
export class ManualTimers implements Timers {
  #now = 0;
  #lastId = 0;
  readonly #waiting = new Map<number, { at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, milliseconds: number): number {
    this.#lastId += 1;
    this.#waiting.set(this.#lastId, { at: this.#now + milliseconds, run });
    return this.#lastId;
  }

  clearTimeout(timer: unknown): void {
    this.#waiting.delete(timer as number);
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** Advances the time and runs the timers that become due, in order. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#waiting].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      this.#waiting.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].run();
    }
    this.#now = end;
  }

  /** Advances the time to the next timer, if there is one, and runs it. */
  advanceToNext(): void {
    const next = Math.min(...Array.from(this.#waiting.values(), ({ at }) => at));
    if (Number.isFinite(next)) this.advance(next - this.#now);
  }

  /** Advances the time in one step, as if the computer had slept. The timers of this time run late. */
  sleep(milliseconds: number): void {
    this.#now += milliseconds;
    this.advance(0);
  }
}
