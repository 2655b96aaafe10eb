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

  /** Moves time on, running what falls due in its order. */
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

  /** Moves time on to the timer that falls due next, if there is one, and runs it. */
  advanceToNext(): void {
    const next = Math.min(...Array.from(this.#waiting.values(), ({ at }) => at));
    if (Number.isFinite(next)) this.advance(next - this.#now);
  }

  /** Moves time on in one step, as when the computer slept: what fell due runs late. */
  sleep(milliseconds: number): void {
    this.#now += milliseconds;
    this.advance(0);
  }
}
