import { findByHash } from '../../../platform/secrets.js';

/** The admin tokens of the session, as hashes. */
export class AdminTokens {
  readonly #hashes = new Map<string, { hash: string }>();

  /** @param own hash of the token that the session has from its start */
  constructor(private readonly own: string) {}

  /** Adds a token that was issued. */
  add(tokenId: string, hash: string): void {
    this.#hashes.set(tokenId, { hash });
  }

  /** Removes a token that has ended. Returns false if it is not an admin token. */
  remove(tokenId: string): boolean {
    return this.#hashes.delete(tokenId);
  }

  /** True if a token is an admin token. Compares with all of them in constant time. */
  accepts(candidate: string): boolean {
    return findByHash(candidate, [{ hash: this.own }, ...this.#hashes.values()]) !== undefined;
  }

  /** True if a hash is that of an admin token. */
  acceptsHash(hash: string): boolean {
    return hash === this.own || [...this.#hashes.values()].some((token) => token.hash === hash);
  }
}
