import { systemClock, type Clock } from '../time/clock.js';
import { networkOf, RateLimiter } from './rate-limiter.js';
import { secretHash } from '../secrets.js';

/**
 * Limit of wrong credentials from one address. It is high enough for a program with an old key, or for a
 * school class with an old URL.
 */
const WRONG = { perSecond: 1, burst: 100 };
/** Maximum number of remembered correct credentials. The oldest one is forgotten first. */
const MAX_KNOWN = 10_000;

/**
 * Slows down guessing. After too many wrong credentials from an address, further credentials from this
 * address are refused for a while. Credentials that were correct from that address before still work. So an
 * attacker cannot lock out other clients behind the same router.
 */
export class Attempts {
  readonly #wrong: RateLimiter;
  readonly #right = new Set<string>();

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#wrong = new RateLimiter(WRONG, clock);
  }

  /**
   * Counts an attempt as wrong until {@link right} is called. A credential that was correct from this address
   * before is not counted. Returns false if the credential must not be checked at all.
   */
  try(address: string, credential: string): boolean {
    return this.#right.has(keyOf(address, credential)) || this.#wrong.take(networkOf(address));
  }

  /** Records that the credential of an allowed attempt was correct. */
  right(address: string, credential: string): void {
    const key = keyOf(address, credential);
    if (this.#right.has(key)) return;
    this.#wrong.giveBack(networkOf(address));
    this.#right.add(key);
    const [oldest] = this.#right;
    if (oldest !== undefined && this.#right.size > MAX_KNOWN) this.#right.delete(oldest);
  }

  /**
   * Counts a wrong credential that was checked without {@link try}. Returns false if the address has sent too
   * many.
   */
  wrong(address: string): boolean {
    return this.#wrong.take(networkOf(address));
  }

  /** Returns the whole seconds until the address may try again. */
  wait(address: string): number {
    return Math.max(1, Math.ceil(this.#wrong.wait(networkOf(address)) / 1000));
  }
}

function keyOf(address: string, credential: string): string {
  return `${networkOf(address)} ${secretHash(credential)}`;
}
