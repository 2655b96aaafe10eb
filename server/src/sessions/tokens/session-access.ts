import type { SessionTokens } from '../ports.js';
import type { SessionStatus } from '../records/session-record.js';
import type { SessionService } from '../session-service.js';
import type { Grant } from './grant.js';

/** Result of a check of a credential. */
export interface CheckedCredential {
  /** The session, live or ended. Undefined if there never was one. */
  readonly status: SessionStatus | undefined;
  /** Undefined if the credential is not valid for this session. */
  readonly grant: Grant | undefined;
}

/**
 * Decides which rights a token gives in a session. The gateway and all routes of a session ask it. Its
 * caller decides if these rights are enough.
 */
export class SessionAccess {
  constructor(
    private readonly sessions: SessionService,
    private readonly tokens: SessionTokens,
  ) {}

  /**
   * Checks a credential. Compares with all tokens of the session in constant time, also if there is no such
   * session. So the duration does not reveal which sessions and tokens exist.
   */
  async check(sessionId: string, credential: string | undefined): Promise<CheckedCredential> {
    const status = await this.sessions.find(sessionId);
    const candidate = credential ?? '';
    const generation = status?.record.generation ?? 0;
    const views = this.tokens.opensEmbed(candidate, sessionId, generation);
    const manages = this.tokens.opensAdmin(candidate, sessionId, generation);
    const automates = this.tokens.opensAutomation(candidate, sessionId, generation);
    if (!status) return { status, grant: undefined };
    if (manages) return { status, grant: { scope: 'admin' } };
    if (automates) return { status, grant: { scope: 'automation' } };
    return { status, grant: views ? { scope: 'control' } : undefined };
  }
}
