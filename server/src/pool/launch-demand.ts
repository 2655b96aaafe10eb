import type { HostSession } from '../host-protocol.js';
import { launchKey, warmSession } from '../launch-key.js';
import type { Clock } from '../platform/time/clock.js';

/** Time in milliseconds for which browsers are kept ready for a launch key after its last request. */
export const RECENT_MS = 30 * 60_000;
/** Maximum number of remembered keys. */
const MOST_KEYS = 100;

interface Requested {
  /** Session of the last request. */
  session: HostSession;
  /** Times of the last and the second-last request, on the clock. */
  last: number;
  before: number;
}

/**
 * Tracks the launch keys of recently requested sessions, and the keys that are always expected. A launch key
 * identifies the settings with which a browser starts.
 */
export class LaunchDemand {
  /** Sessions that clients may request at any time, by key. */
  readonly #expected = new Map<string, HostSession>();
  /** Requests by key, in the order of their last request. */
  readonly #requested = new Map<string, Requested>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /**
   * Adds the launch key of a session that clients may request at any time. The key is never forgotten.
   * Recently requested keys have priority over it.
   */
  expect(session: HostSession): void {
    this.#expected.set(launchKey(session), warmSession(session));
  }

  /**
   * Records a request for a browser with this session's settings. Returns the key. `known` is true if the key
   * is expected, or was already requested recently.
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
   * Returns the session with which to start a browser for a key. Undefined if the key is not expected and was
   * not requested recently.
   */
  session(key: string): HostSession | undefined {
    return this.#requested.get(key)?.session ?? this.#expected.get(key);
  }

  /**
   * Returns the keys for which browsers are kept ready. Sorts the requested keys by their second-last
   * request, newest first (LRU-2). So the first session with a rare key does not replace the browser of a
   * common key, but the second one does. Expected keys come last. If there are fewer than `most` keys, they
   * repeat in the same order.
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

/**
 * Compares the second-last requests of two keys, newest first. Keys with a single request are last and keep
 * their order.
 */
function order(one: Requested, other: Requested): number {
  return one.before === other.before ? 0 : other.before - one.before;
}
