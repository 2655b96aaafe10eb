import { pause, type Clock } from '../time/clock.js';

/** Limit of a {@link TimeBudget}. */
export interface TimeShare {
  /** Part of the time that may be used on average, from 0 to 1. */
  share: number;
  /** Milliseconds that may be used at once after a pause. The debt is limited to the same number. */
  burstMs: number;
}

/**
 * Limits the time that a kind of work takes. The duration of a piece of work is known only when it has ended,
 * so the budget may be in debt. The budget counts elapsed time, also while the machine runs other processes,
 * because the other work of the thread waits during all of this time.
 */
export class TimeBudget {
  #left: number;
  #at: number;

  constructor(
    private readonly limit: TimeShare,
    private readonly now: () => number,
  ) {
    this.#left = limit.burstMs;
    this.#at = now();
  }

  /** Counts a piece of work that has ended and took this many milliseconds. */
  use(ms: number): void {
    this.#refill();
    this.#left = Math.max(this.#left - ms, -this.limit.burstMs);
  }

  /** Milliseconds until the next piece of work may begin. 0 if it may begin now. */
  get wait(): number {
    this.#refill();
    return this.#left > 0 ? 0 : (1 - this.#left) / this.limit.share;
  }

  #refill(): void {
    const now = this.now();
    this.#left = Math.min(this.limit.burstMs, this.#left + (now - this.#at) * this.limit.share);
    this.#at = now;
  }
}

/** Resolves when the next piece of work may begin. */
export async function allowedBy(time: TimeBudget, clock: Pick<Clock, 'setTimeout'>): Promise<void> {
  for (let { wait } = time; wait > 0; { wait } = time) await pause(clock, Math.ceil(wait));
}
