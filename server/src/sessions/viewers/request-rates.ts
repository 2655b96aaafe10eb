import { networkOf, RateLimiter } from '../../platform/rates/rate-limiter.js';
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
 * Rate limit of requests for one recording from one address. It is enough for a school class behind one
 * router. A page that shows a recording sends about ten requests when it loads. While a person seeks, a page
 * sends a few requests a second.
 */
const READS = { perSecond: 100, burst: 600 };

/**
 * Limits how often programs connect, and how often clients send requests. Call the methods only for clients
 * with a valid credential.
 */
export class RequestRates {
  readonly #connections: RateLimiter;
  readonly #requests: RateLimiter;
  readonly #management: RateLimiter;
  readonly #reads: RateLimiter;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#connections = new RateLimiter(CONNECTIONS, clock);
    this.#requests = new RateLimiter(REQUESTS, clock);
    this.#management = new RateLimiter(REQUESTS, clock);
    this.#reads = new RateLimiter(READS, clock);
  }

  /** Counts a connection to the DevTools protocol. Returns the refusal if there were too many. */
  connects(sessionId: string): ServiceError | undefined {
    return refusalOf(this.#connections, sessionId, 'connections');
  }

  /**
   * Counts requests of a program. Returns the refusal if there were too many.
   *
   * @param grant rights of the token; undefined if the client uses an API key
   * @param count number of requests that arrive together
   */
  requests(sessionId: string, grant: Grant | undefined, count = 1): ServiceError | undefined {
    return refusalOf(this.#requests, keyOf(sessionId, grant), 'requests', Math.min(count, REQUESTS.burst));
  }

  /**
   * Counts a request that manages a session. Returns the refusal if there were too many. Such requests are
   * counted apart from {@link requests}. So an admin can remove a program that sends too many requests, even
   * if both use the same credential.
   */
  manages(sessionId: string, grant: Grant | undefined): ServiceError | undefined {
    return refusalOf(this.#management, keyOf(sessionId, grant), 'requests');
  }

  /** Counts a request for a recording. Returns the refusal if there were too many. */
  reads(recordingId: string, address: string): ServiceError | undefined {
    return refusalOf(this.#reads, `${recordingId} ${networkOf(address)}`, 'reads');
  }
}

function keyOf(sessionId: string, grant: Grant | undefined): string {
  return `${sessionId} ${grant ? (grant.tokenId ?? grant.scope) : 'key'}`;
}

function refusalOf(
  limiter: RateLimiter,
  key: string,
  kind: 'connections' | 'requests' | 'reads',
  count = 1,
): ServiceError | undefined {
  if (limiter.take(key, count)) return undefined;
  const seconds = Math.max(1, Math.ceil(limiter.wait(key, count) / 1000));
  return new ServiceError('err_too_many_requests', seconds, kind);
}
