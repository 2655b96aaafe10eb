import { sameSecret } from '../platform/secrets.js';

/** The keys of the backends that may create and manage sessions. */
export class ApiKeys {
  readonly #keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  accepts(candidate: string): boolean {
    let accepted = false;
    // No early exit: the time must not tell which key came close.
    for (const key of this.#keys) accepted = sameSecret(candidate, key) || accepted;
    return accepted;
  }
}
