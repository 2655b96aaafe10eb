import { systemClock, type Clock } from './time/clock.js';
import type { Log, LogFields } from './log.js';
import { networkOf, RateLimiter } from './rates/rate-limiter.js';

/** Rate limit of log lines about one address, so that an attack does not fill the disk. */
const LINES = { perSecond: 0.2, burst: 20 };

/** Logs refused requests. Lines for auditors have the field `audit`, and never contain a key or a token. */
export class RefusalLog {
  readonly #lines: RateLimiter;

  constructor(
    private readonly log: Log,
    clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#lines = new RateLimiter(LINES, clock);
  }

  /** @param what fields such as the session and the reason */
  refused(address: string, what: LogFields): void {
    if (this.#lines.take(networkOf(address)))
      this.log.info('refused', { audit: 'refused', address, ...what });
  }
}
