import { RateLimiter } from '../../platform/rates/rate-limiter.js';
import { systemClock, type Clock } from '../../platform/time/clock.js';
import { ServiceError } from '../../service-error.js';
import type { Grant } from '../tokens/grant.js';

/**
 * Rate limit of the connections that programs open to one session, from all addresses together. Each
 * connection adds a user to the session and opens a DevTools session with the browser. A program that
 * connects again for every command opens about one connection a second.
 */
const CONNECTIONS = { perSecond: 5, burst: 60 };
/**
 * Rate limit of requests over HTTP and MCP with one credential of one session. In addition, the session's
 * host limits calls by their cost.
 */
const REQUESTS = { perSecond: 50, burst: 200 };

/**
 * Limits how often programs connect and send requests. Call the methods only for clients with a valid
 * credential.
 */
export class ProgramRates {
  readonly #connections: RateLimiter;
  readonly #requests: RateLimiter;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#connections = new RateLimiter(CONNECTIONS, clock);
    this.#requests = new RateLimiter(REQUESTS, clock);
  }

  /** Counts a connection to the DevTools protocol. Returns the refusal if there were too many. */
  connects(sessionId: string): ServiceError | undefined {
    return refusalOf(this.#connections, sessionId, 'connections');
  }

  /**
   * Counts requests. Returns the refusal if there were too many.
   *
   * @param grant rights of the token; undefined if the client uses an API key
   * @param count number of requests that arrive together
   */
  requests(sessionId: string, grant: Grant | undefined, count = 1): ServiceError | undefined {
    const credential = grant ? (grant.tokenId ?? grant.scope) : 'key';
    return refusalOf(
      this.#requests,
      `${sessionId} ${credential}`,
      'requests',
      Math.min(count, REQUESTS.burst),
    );
  }
}

function refusalOf(
  limiter: RateLimiter,
  key: string,
  kind: 'connections' | 'requests',
  count = 1,
): ServiceError | undefined {
  if (limiter.take(key, count)) return undefined;
  const seconds = Math.max(1, Math.ceil(limiter.wait(key, count) / 1000));
  return new ServiceError('err_too_many_requests', seconds, kind);
}
