import type { Clock } from '../platform/clock.js';
import { networkOf, RateLimiter } from '../platform/rate-limiter.js';

/** Joins of one session from one address: a class behind one router comes, loses the line and comes again, three times. */
const JOINS = { perSecond: 10, burst: 200 };
/** Beyond this nobody is told why: a handshake costs more than a closed socket. */
const REFUSALS = { perSecond: 20, burst: 100 };

/** Bounds how often an address joins a session. */
export class JoinRate {
  readonly #joins: RateLimiter;
  readonly #refusals: RateLimiter;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#joins = new RateLimiter(JOINS, clock);
    this.#refusals = new RateLimiter(REFUSALS, clock);
  }

  /** What becomes of somebody who joins now: let in, told that they come too often, or just dropped. */
  verdict(sessionId: string, address: string): 'join' | 'refuse' | 'drop' {
    const network = networkOf(address);
    if (this.#joins.take(`${network} ${sessionId}`)) return 'join';
    return this.#refusals.take(network) ? 'refuse' : 'drop';
  }
}
