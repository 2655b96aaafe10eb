import type { HostSession } from '../host-protocol.js';
import { launchKey, warmSession } from '../launch-key.js';
import type { Clock } from '../platform/clock.js';

/** Time without a request after which a key is no longer kept ready. */
export const RECENT_MS = 30 * 60_000;
/** Limit of remembered keys. */
const MOST_KEYS = 100;

interface Requested {
  /** Session of the last request. */
  session: HostSession;
  /** Times of the last request and of the one before, on the clock. */
  last: number;
  before: number;
}

/** Tracks launch keys: those requested lately, and those expected at any time. */
export class LaunchDemand {
  /** Expected sessions by key. */
  readonly #expected = new Map<string, HostSession>();
  /** Requests by key, in the order of their last request. */
  readonly #requested = new Map<string, Requested>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /**
   * Adds a kind of session that may come at any time. It is never forgotten, and ranks after the kinds that
   * were requested.
   */
  expect(session: HostSession): void {
    this.#expected.set(launchKey(session), warmSession(session));
  }

  /**
   * Records a request for a browser like this session's. Returns its key, and true as `known` if it was
   * expected or requested lately.
   */
  record(session: HostSession): { key: string; known: boolean } {
    this.#forget();
    const key = launchKey(session);
    const requested = this.#requested.get(key);
    this.#requested.delete(key);
    const before = requested?.last ?? -Infinity;
    this.#requested.set(key, { session: warmSession(session), last: this.clock.now(), before });
    const [oldest] = this.#requested.keys();
    if (this.#requested.size > MOST_KEYS && oldest !== undefined) this.#requested.delete(oldest);
    return { key, known: requested !== undefined || this.#expected.has(key) };
  }

  /**
   * Returns the session to start a browser of a key with. Undefined if no such session is expected or was
   * requested lately.
   */
  session(key: string): HostSession | undefined {
    return this.#requested.get(key)?.session ?? this.#expected.get(key);
  }

  /**
   * Returns the keys to keep ready. A key can be in the list several times: each once, then again in turn
   * while there is room.
   * The order is by the last request but one, latest first (LRU-2). So a single session of a rare kind
   * displaces no browser of the common kind, but a second one does.
   *
   * @param most length of the list
   */
  keysToKeep(most: number): string[] {
    this.#forget();
    const ranked = [...this.#requested].reverse().sort(([, one], [, other]) => order(one, other));
    const keys = [...new Set([...ranked.map(([key]) => key), ...this.#expected.keys()])];
    return keys.length === 0
      ? []
      : Array.from({ length: most }, (_, place) => keys[place % keys.length] ?? '');
  }

  #forget(): void {
    const since = this.clock.now() - RECENT_MS;
    for (const [key, { last }] of this.#requested) if (last <= since) this.#requested.delete(key);
  }
}

/** Sorts the latest first. Keys with a single request come last, in their order. */
function order(one: Requested, other: Requested): number {
  return one.before === other.before ? 0 : other.before - one.before;
}
