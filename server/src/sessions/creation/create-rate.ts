import { ServiceError } from '../../service-error.js';
import type { Clock } from '../../platform/time/clock.js';

/** Time to which the rate refers: one minute in milliseconds. */
const WINDOW_MS = 60_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * Limits how many sessions each API key begins per minute. Each key has a token bucket that is full at first
 * and fills up again in one minute.
 */
export class CreateRate {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly clock: Clock,
    private readonly perMinute: number,
  ) {}

  /** Counts a new session. Throws {@link ServiceError} `err_too_many_requests`. */
  take(key: string): void {
    const now = this.clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.perMinute, filledAt: now };
    const gained = ((now - bucket.filledAt) / WINDOW_MS) * this.perMinute;
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + gained);
    bucket.filledAt = now;
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) {
      const seconds = Math.ceil(((1 - bucket.tokens) * WINDOW_MS) / this.perMinute / 1000);
      throw new ServiceError('err_too_many_requests', seconds);
    }
    bucket.tokens -= 1;
  }
}
