import { isIPv6 } from 'node:net';
import { systemClock, type Clock } from './clock.js';
import { TokenBucket, type Rate } from './token-bucket.js';

/** More are not told apart at the same time: about a megabyte. */
const MAX_KEYS = 10_000;
/** How many are looked at for each newcomer: more than one, so that those who are forgotten outnumber those who come. */
const LOOKS = 2;

/** Counts what each of many does against the same rate. Who has done nothing for a while is not remembered. */
export class RateLimiter {
  readonly #buckets = new Map<string, TokenBucket>();
  /** Goes round and round among them. */
  #look = this.#buckets.entries();

  constructor(
    private readonly rate: Rate,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  /** As `TokenBucket.take`. */
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

  /** As `TokenBucket.giveBack`. */
  giveBack(key: string, cost = 1): void {
    this.#buckets.get(key)?.giveBack(cost);
  }

  /** As `TokenBucket.wait`: milliseconds until {@link take} succeeds. */
  wait(key: string, cost = 1): number {
    return this.#buckets.get(key)?.wait(cost) ?? 0;
  }

  /** How many are told apart now. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Forgets some of those who have done nothing for a while. */
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
    // A tenth at once, so that not every newcomer costs a look at all.
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= MAX_KEYS * 0.9) return;
      this.#buckets.delete(key);
    }
  }
}

/** Who an address belongs to, as far as it tells: itself, or of IPv6 the network of 64 bits that one customer has. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
