import { systemClock, type Clock } from './clock.js';

/** How often something may happen: this often in the long run, and so many times at once after a rest. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Counts what happens against a {@link Rate}. */
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

  /** Counts something of this cost. False, and nothing is counted, when it is more than the rate allows. */
  take(cost = 1): boolean {
    this.#refill();
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }

  /** What was counted did not happen after all. */
  giveBack(cost = 1): void {
    this.#tokens = Math.min(this.rate.burst, this.#tokens + cost);
  }

  /** Milliseconds until {@link take} of this cost succeeds; 0 when it does now. Infinite for more than a burst. */
  wait(cost = 1): number {
    this.#refill();
    if (cost > this.rate.burst) return Infinity;
    return Math.max(0, ((cost - this.#tokens) * 1000) / this.rate.perSecond);
  }

  /** Nothing that has happened counts any more: it is as good as a new one. */
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
