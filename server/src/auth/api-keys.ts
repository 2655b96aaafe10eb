import { sameSecret } from '../platform/secrets.js';

/** The keys of the backends that may create and manage sessions. */
export class ApiKeys {
  constructor(private readonly keys: readonly string[]) {}

  accepts(candidate: string): boolean {
    let accepted = false;
    // No early exit: the time must not tell which key came close.
    for (const key of this.keys) accepted = sameSecret(candidate, key) || accepted;
    return accepted;
  }
}
