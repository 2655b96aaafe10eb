import { sameSecret } from '../platform/secrets.js';

/** The keys of backends that may create and manage sessions. */
export class ApiKeys {
  constructor(private readonly keys: readonly string[]) {}

  accepts(candidate: string): boolean {
    return this.numberOf(candidate) > 0;
  }

  /**
   * Returns the position of the matching key in the list, from 1. Returns 0 if no key matches. Logs name a
   * key by its position.
   */
  numberOf(candidate: string): number {
    let number = 0;
    // Compares all keys. With an early exit, the duration would reveal which key matches.
    for (const [index, key] of this.keys.entries()) if (sameSecret(candidate, key)) number = index + 1;
    return number;
  }
}
