import { CallError } from '../calls/call-error.js';

/** Key for the credentials that the session has from its start: those of `cdp_url` and of its admin. */
export const OWN_TOKENS = '';

/**
 * Tokens of agents that an admin has removed. These tokens admit no agent any more. A removed person comes
 * back only by their own action. But a program reconnects automatically, and a program that uses HTTP
 * reconnects with its next call. So the removal would have no effect if the token stayed valid. A backend can
 * invite the program again with another token.
 */
export class RemovedTokens {
  readonly #removed = new Set<string>();
  readonly #ofAgents = new WeakMap<object, string>();

  /** Remembers the token that admitted an agent. */
  joined(agent: object, tokenId = OWN_TOKENS): void {
    this.#ofAgents.set(agent, tokenId);
  }

  /**
   * Returns the key of the token that admitted an agent. All credentials that the session has from its start
   * have the same key.
   */
  keyOf(agent: object): string {
    return this.#ofAgents.get(agent) ?? OWN_TOKENS;
  }

  /** Records that an admin has removed an agent. */
  removed(agent: object): void {
    this.#removed.add(this.keyOf(agent));
  }

  /** Throws {@link CallError} if a token admits no agent any more. */
  check(tokenId = OWN_TOKENS): void {
    if (!this.#removed.has(tokenId)) return;
    throw new CallError(
      'err_agent_kicked',
      'An admin removed this program, so its token admits no program any more. Ask for a new token.',
    );
  }
}
