import { systemClock, type Clock } from '../time/clock.js';

/**
 * Rate limit. `perSecond` is the average rate. `burst` is the maximum number of events at once after a pause.
 */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Counts events against a {@link Rate}. */
export class TokenBucket {
  #tokens: number;
  #at: number;

  constructor(
    private readonly rate: Rate,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#tokens = rate.burst;
    this.#at = clock.now();
  }

  /** Counts an event of this cost. Returns false, and counts nothing, if it exceeds the rate. */
  take(cost = 1): boolean {
    this.#refill();
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }

  /** Takes back an event that did not happen after all. */
  giveBack(cost = 1): void {
    this.#tokens = Math.min(this.rate.burst, this.#tokens + cost);
  }

  /**
   * Returns the milliseconds until {@link take} with this cost succeeds. 0 if it succeeds now. Infinite if
   * the cost is higher than a burst.
   */
  wait(cost = 1): number {
    this.#refill();
    if (cost > this.rate.burst) return Infinity;
    return Math.max(0, ((cost - this.#tokens) * 1000) / this.rate.perSecond);
  }

  /** True if the bucket is equal to a new one, because past events have no effect any more. */
  get full(): boolean {
    this.#refill();
    return this.#tokens >= this.rate.burst;
  }

  #refill(): void {
    const now = this.clock.now();
    const gained = ((now - this.#at) * this.rate.perSecond) / 1000;
    this.#tokens = Math.min(this.rate.burst, this.#tokens + gained);
    this.#at = now;
  }
}
