import type { Clock, Timer } from '../../server/src/platform/time/clock.js';

/** A clock that stands still until a test turns it. */
export class ManualClock implements Clock {
  #now = 0;
  #set = 0;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2030, 0, 1) + this.#now + this.#set);
  }

  /** Sets the calendar, as an administrator does; no time passes. */
  set(milliseconds: number): void {
    this.#set += milliseconds;
  }

  setTimeout(run: () => void, milliseconds: number): Timer {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.add(timer);
    return { cancel: () => this.#timers.delete(timer) };
  }

  /** The number of timers that are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Advances the time and runs the timers that become due, in order. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
    const due = [...this.#timers].filter((timer) => timer.at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.run();
  }
}
