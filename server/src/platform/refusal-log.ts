import { systemClock, type Clock } from './clock.js';
import type { Log, LogFields } from './log.js';
import { networkOf, RateLimiter } from './rate-limiter.js';

/** Lines about one address: an attack must not fill the disk. */
const LINES = { perSecond: 0.2, burst: 20 };

/** Notes in the log who was refused. Lines for auditors have the field `audit`, and never a key or a token. */
export class RefusalLog {
  readonly #lines: RateLimiter;

  constructor(
    private readonly log: Log,
    clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#lines = new RateLimiter(LINES, clock);
  }

  /** @param what such as the session, and the reason */
  refused(address: string, what: LogFields): void {
    if (this.#lines.take(networkOf(address)))
      this.log.info('refused', { audit: 'refused', address, ...what });
  }
}
