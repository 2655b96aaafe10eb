import { createHmac } from 'node:crypto';
import type { SessionTokens } from '../sessions/ports.js';
import { sameSecret } from '../platform/secrets.js';

type Kind = 'embed' | 'admin' | 'automation';

/**
 * Tokens are derived, not stored. A token is the HMAC-SHA256 of its kind, the session and the generation,
 * with the server key. A session always has the same tokens. Stolen records contain no tokens. A new
 * generation revokes the old tokens.
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
