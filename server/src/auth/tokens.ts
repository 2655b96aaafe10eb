import { createHmac } from 'node:crypto';
import type { SessionTokens } from '../sessions/ports.js';
import { sameSecret } from '../platform/secrets.js';

type Kind = 'embed' | 'admin' | 'automation';

/**
 * Derives the tokens of sessions instead of storing them. So a session's record contains no token that an
 * attacker could steal. A token is an HMAC-SHA256 with the server key. Its input is the kind of token, the
 * session id and the generation. The generation is a number in the session's record. A session has the same
 * tokens as long as its generation stays the same. Tokens of another generation are invalid.
 */
export class DerivedTokens implements SessionTokens {
  constructor(private readonly serverKey: Uint8Array) {}

  embedToken(sessionId: string, generation: number): string {
    return this.#derive('embed', sessionId, generation);
  }

  adminToken(sessionId: string, generation: number): string {
    return this.#derive('admin', sessionId, generation);
  }

  opensEmbed(candidate: string, sessionId: string, generation: number): boolean {
    return sameSecret(candidate, this.embedToken(sessionId, generation));
  }

  opensAdmin(candidate: string, sessionId: string, generation: number): boolean {
    return sameSecret(candidate, this.adminToken(sessionId, generation));
  }

  automationToken(sessionId: string, generation: number): string {
    return this.#derive('automation', sessionId, generation);
  }

  opensAutomation(candidate: string, sessionId: string, generation: number): boolean {
    return sameSecret(candidate, this.automationToken(sessionId, generation));
  }

  #derive(kind: Kind, sessionId: string, generation: number): string {
    return createHmac('sha256', this.serverKey)
      .update(`${kind}\n${sessionId}\n${generation}`)
      .digest('base64url');
  }
}
