import { ServiceError } from '../../service-error.js';
import { RateLimiter } from '../../platform/rates/rate-limiter.js';
import type { Clock } from '../../platform/time/clock.js';

/**
 * Limits how many sessions each API key begins per minute. Each key may begin all of them at once after a
 * minute without new sessions.
 */
export class CreateRate {
  readonly #limiter: RateLimiter;

  constructor(clock: Clock, perMinute: number) {
    this.#limiter = new RateLimiter({ perSecond: perMinute / 60, burst: perMinute }, clock);
  }

  /** Counts a new session. Throws {@link ServiceError} `err_too_many_requests`. */
  take(key: string): void {
    if (this.#limiter.take(key)) return;
    throw new ServiceError('err_too_many_requests', Math.ceil(this.#limiter.wait(key) / 1000));
  }
}
