import type { TokenEnd } from '../../host-protocol.js';

/**
 * Maximum number of remembered tokens. It is needed only for connections that were admitted before the end
 * of their token and have not said hello, so the oldest are forgotten.
 */
const MAX_REMEMBERED = 1_000;

/** Sentences for programs whose token has ended. */
export const TOKEN_END_SENTENCES: Readonly<Record<TokenEnd, string>> = {
  token_expired: 'The token has expired. Ask for a new one.',
  token_revoked: 'The token was revoked. Ask for a new one.',
};

/** Tokens of the session that have expired or were revoked. */
export class EndedTokens {
  readonly #ended = new Map<string, TokenEnd>();
  readonly #listeners: ((tokenId: string, reason: TokenEnd) => void)[] = [];

  /** Registers a function that ends the connections that a token admitted. */
  onEnd(listener: (tokenId: string, reason: TokenEnd) => void): void {
    this.#listeners.push(listener);
  }

  /** Records the end of a token, and ends the connections that it admitted. */
  end(tokenId: string, reason: TokenEnd): void {
    this.#ended.set(tokenId, reason);
    const [oldest] = this.#ended.keys();
    if (oldest !== undefined && this.#ended.size > MAX_REMEMBERED) this.#ended.delete(oldest);
    for (const listener of this.#listeners) listener(tokenId, reason);
  }

  /** Returns the reason why a token has ended. Undefined if it is valid. */
  endOf(tokenId: string | undefined): TokenEnd | undefined {
    return tokenId === undefined ? undefined : this.#ended.get(tokenId);
  }
}
