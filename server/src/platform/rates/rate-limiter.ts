import { isIPv6 } from 'node:net';
import { systemClock, type Clock } from '../time/clock.js';
import { TokenBucket, type Rate } from './token-bucket.js';

/** Maximum number of keys that are tracked at the same time. They take about a megabyte. */
const MAX_KEYS = 10_000;
/**
 * Number of keys that are checked for removal when a key is added. With two or more, removals can keep up
 * with additions.
 */
const LOOKS = 2;

/** Applies one rate to many keys separately. A key that was not used for a while is forgotten. */
export class RateLimiter {
  readonly #buckets = new Map<string, TokenBucket>();
  /** Iterator over all keys, which starts again at the end. */
  #look = this.#buckets.entries();

  constructor(
    private readonly rate: Rate,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  /** Same as `TokenBucket.take`. */
  take(key: string, cost = 1): boolean {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      this.#forget();
      this.#makeRoom();
      bucket = new TokenBucket(this.rate, this.clock);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(cost);
  }

  /** Same as `TokenBucket.giveBack`. */
  giveBack(key: string, cost = 1): void {
    this.#buckets.get(key)?.giveBack(cost);
  }

  /** Same as `TokenBucket.wait`: milliseconds until {@link take} succeeds. */
  wait(key: string, cost = 1): number {
    return this.#buckets.get(key)?.wait(cost) ?? 0;
  }

  /** Number of tracked keys. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Removes some of the keys that were not used for a while. */
  #forget(): void {
    for (let look = 0; look < LOOKS; look++) {
      const next = this.#look.next();
      if (next.done) {
        this.#look = this.#buckets.entries();
        return;
      }
      const [key, bucket] = next.value;
      if (bucket.full) this.#buckets.delete(key);
    }
  }

  #makeRoom(): void {
    if (this.#buckets.size < MAX_KEYS) return;
    for (const [key, bucket] of this.#buckets) if (bucket.full) this.#buckets.delete(key);
    // Removes a tenth of the keys at once, so that not every new key causes a search.
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= MAX_KEYS * 0.9) return;
      this.#buckets.delete(key);
    }
  }
}

/**
 * Returns the rate-limit key of an address: the IPv4 address, or the /64 network of an IPv6 address. One
 * customer usually has a whole /64 network.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
