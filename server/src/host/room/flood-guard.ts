import { systemClock, type Clock } from '../../platform/clock.js';
import { TokenBucket } from '../../platform/token-bucket.js';

/**
 * What one user may send. A mouse of 1000 Hz, sent as it comes, with its pictures acknowledged, makes 1,100 events a second;
 * a program that asks 50 times a second for tabs, 50 messages; pasting a megabyte makes 64 events.
 */
const EVENTS = { perSecond: 3_000, burst: 4_000 };
const MESSAGES = { perSecond: 300, burst: 600 };
const BYTES = { perSecond: 1024 * 1024, burst: 8 * 1024 * 1024 };

/** What a flooder is told. */
export const FLOOD = 'You sent more than a session takes from one user. Wait a moment, then connect again.';

/** Counts what one user sends, over all of their connections. */
export class FloodGuard {
  readonly #events: TokenBucket;
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#events = new TokenBucket(EVENTS, clock);
    this.#messages = new TokenBucket(MESSAGES, clock);
    this.#bytes = new TokenBucket(BYTES, clock);
  }

  /** Counts a message: an input event when it is binary, text otherwise. False when it is more than the user may send. */
  takes(bytes: number, binary: boolean): boolean {
    return (binary ? this.#events : this.#messages).take() && this.#bytes.take(bytes);
  }
}
