import type { Clock } from '../platform/clock.js';
import { networkOf, RateLimiter } from '../platform/rate-limiter.js';

/**
 * Joins of one session from one address. A class behind one router may join, lose the connection and join
 * again, three times.
 */
const JOINS = { perSecond: 10, burst: 150 };
/**
 * Refusals per address. Beyond this the socket is only closed, because a handshake with a reason costs more.
 */
const REFUSALS = { perSecond: 20, burst: 100 };

/** Limits how often an address joins a session. */
export class JoinRate {
  readonly #joins: RateLimiter;
  readonly #refusals: RateLimiter;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#joins = new RateLimiter(JOINS, clock);
    this.#refusals = new RateLimiter(REFUSALS, clock);
  }

  /** Returns the decision for a new join: accept it, refuse it with a reason, or only drop the socket. */
  verdict(sessionId: string, address: string): 'join' | 'refuse' | 'drop' {
    const network = networkOf(address);
    if (this.#joins.take(`${network} ${sessionId}`)) return 'join';
    return this.#refusals.take(network) ? 'refuse' : 'drop';
  }
}
