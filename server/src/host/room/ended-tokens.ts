import type { TokenEnd } from '../../host-protocol.js';
import { CallError } from './calls/call-error.js';

/**
 * Maximum number of remembered tokens. A token matters only for connections that the service admitted before
 * the token ended, and that have not sent their hello yet. So the oldest tokens can be forgotten.
 */
const MAX_REMEMBERED = 1_000;

/** Sentences for programs whose token has ended. */
export const TOKEN_END_SENTENCES: Readonly<Record<TokenEnd, string>> = {
  token_expired: 'The token has expired. Ask for a new one.',
  token_revoked: 'The token was revoked. Ask for a new one.',
};

/** Messages for users whose token has ended. */
export const TOKEN_END_MESSAGES: Readonly<Record<TokenEnd, string>> = {
  token_expired: 'The time of your access to this session is over.',
  token_revoked: 'Your access to this session was ended.',
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

  /** Throws {@link CallError} if a token has ended. */
  check(tokenId: string): void {
    const reason = this.#ended.get(tokenId);
    if (reason) throw new CallError('err_forbidden', TOKEN_END_SENTENCES[reason]);
  }

  /** Returns the reason why a token has ended. Undefined if it has not ended. */
  endOf(tokenId: string | undefined): TokenEnd | undefined {
    return tokenId === undefined ? undefined : this.#ended.get(tokenId);
  }
}
