import { systemClock, type Clock } from './clock.js';
import { networkOf, RateLimiter } from './rate-limiter.js';
import { secretHash } from './secrets.js';

/** Credentials that one address may try and that are wrong: a program with an old key, or a class with an old address. */
const WRONG = { perSecond: 1, burst: 100 };
/** Credentials that have been right; who came first is forgotten. */
const MAX_KNOWN = 10_000;

/**
 * Slows those who guess: an address that was wrong too often may try no other credential for a while. One that has been right from
 * there goes on being taken, so a guesser does not lock out the neighbours behind the same router.
 */
export class Attempts {
  readonly #wrong: RateLimiter;
  readonly #right = new Set<string>();

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#wrong = new RateLimiter(WRONG, clock);
  }

  /** Counts a try until {@link right} takes it back. False: the credential must not even be looked at. */
  try(address: string, credential: string): boolean {
    return this.#right.has(keyOf(address, credential)) || this.#wrong.take(networkOf(address));
  }

  /** The credential of an allowed try was right. */
  right(address: string, credential: string): void {
    const key = keyOf(address, credential);
    if (this.#right.has(key)) return;
    this.#wrong.giveBack(networkOf(address));
    this.#right.add(key);
    const [oldest] = this.#right;
    if (oldest !== undefined && this.#right.size > MAX_KNOWN) this.#right.delete(oldest);
  }

  /** Counts something wrong that nobody can guess. False: it is more than needs an answer. */
  wrong(address: string): boolean {
    return this.#wrong.take(networkOf(address));
  }

  /** Whole seconds until the address may try again. */
  wait(address: string): number {
    return Math.max(1, Math.ceil(this.#wrong.wait(networkOf(address)) / 1000));
  }
}

function keyOf(address: string, credential: string): string {
  return `${networkOf(address)} ${secretHash(credential)}`;
}
