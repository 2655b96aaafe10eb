import type { HostSession } from '../host-protocol.js';
import { launchKey, spareSession } from '../launch-key.js';
import type { Clock } from '../platform/clock.js';

/** A key that nobody asked for so long is not kept ready. */
export const LATELY_MS = 30 * 60_000;
/** Keys that are remembered. */
const MOST_KEYS = 100;

interface Asked {
  /** As it was asked for last. */
  session: HostSession;
  /** The last ask and the one before, on the clock. */
  last: number;
  before: number;
}

/** Which browsers were asked for lately. */
export class LaunchDemand {
  /** In the order in which they were asked for last. */
  readonly #asked = new Map<string, Asked>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Somebody asks for a browser like this session's. Answers its key, and whether it was asked for lately. */
  ask(session: HostSession): { key: string; known: boolean } {
    this.#forget();
    const key = launchKey(session);
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    const before = asked?.last ?? -Infinity;
    this.#asked.set(key, { session: spareSession(session), last: this.clock.now(), before });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_KEYS && oldest !== undefined) this.#asked.delete(oldest);
    return { key, known: asked !== undefined };
  }

  /** What to start a browser of a key with. Undefined when nobody asked for it lately. */
  session(key: string): HostSession | undefined {
    return this.#asked.get(key)?.session;
  }

  /**
   * The keys to keep ready, each as often as it is to be: one of each, and then in turn again while there is room. First come those whose
   * last ask but one is the latest (LRU-2): a single session of a rare kind displaces none of the kind that most sessions are of, a
   * second one does.
   *
   * @param most in all
   */
  wanted(most: number): string[] {
    this.#forget();
    const ranked = [...this.#asked].reverse().sort(([, one], [, other]) => order(one, other));
    const keys = ranked.map(([key]) => key);
    return keys.length === 0
      ? []
      : Array.from({ length: most }, (_, place) => keys[place % keys.length] ?? '');
  }

  #forget(): void {
    const since = this.clock.now() - LATELY_MS;
    for (const [key, { last }] of this.#asked) if (last <= since) this.#asked.delete(key);
  }
}

/** Latest first; those with a single ask last, as they stand. */
function order(one: Asked, other: Asked): number {
  return one.before === other.before ? 0 : other.before - one.before;
}
