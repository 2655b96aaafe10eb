import type { Clock } from '../platform/time/clock.js';
import { networkOf, RateLimiter } from '../platform/rates/rate-limiter.js';

/**
 * Rate limit of joins to one session from one address. The burst is enough for a school class behind one
 * router if each person joins three times.
 */
const JOINS = { perSecond: 10, burst: 150 };
/**
 * Rate limit of refusals for one address. Above this limit, the socket is closed without a reason, because a
 * handshake with a reason needs more processor time.
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

  /**
   * Returns the decision about a new join. `join`: accept it. `refuse`: refuse it with a reason. `drop`:
   * close the socket without a reason. Viewers and programs are counted separately, because they often share
   * an address.
   */
  verdict(sessionId: string, address: string, kind: 'viewer' | 'program'): 'join' | 'refuse' | 'drop' {
    const network = networkOf(address);
    if (this.#joins.take(`${network} ${sessionId} ${kind}`)) return 'join';
    return this.#refusals.take(network) ? 'refuse' : 'drop';
  }
}
