import { seeded } from '../support/seeded.js';

/** A random generator with a seed. The same seed gives the same numbers on every machine. */
export class Random {
  /** From 0 to 1, without 1. */
  readonly next: () => number;

  /** @param seed any whole number */
  constructor(seed: number) {
    this.next = seeded(seed);
  }

  /** A whole number from 0 to `limit`, without `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Returns true with this probability, 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns a random item of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError('Nothing can be picked out of an empty list.');
    return picked;
  }

  /** Returns a random item of a list by weight. */
  pickWeighted<T extends { weight: number }>(list: readonly T[]): T {
    let left = this.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    for (const each of list) {
      left -= each.weight;
      if (left < 0) return each;
    }
    return this.pick(list);
  }
}
