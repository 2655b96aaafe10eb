import { sameSecret } from '../platform/secrets.js';

/** The keys of the backends that may create and manage sessions. */
export class ApiKeys {
  constructor(private readonly keys: readonly string[]) {}

  accepts(candidate: string): boolean {
    return this.numberOf(candidate) > 0;
  }

  /** Which of the keys it is, counted from 1, to be told in logs; 0 for none. */
  numberOf(candidate: string): number {
    let number = 0;
    // No early exit: the time must not tell which key came close.
    for (const [index, key] of this.keys.entries()) if (sameSecret(candidate, key)) number = index + 1;
    return number;
  }
}
