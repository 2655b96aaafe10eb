import type { TokenEnd } from '../../host-protocol.js';
import { findByHash } from '../../platform/secrets.js';
import type { SessionTokens } from '../ports.js';
import type { SessionStatus } from '../records/session-record.js';
import type { SessionService } from '../session-service.js';
import type { Grant } from './grant.js';
import { grantBy } from './token-record.js';

/** Result of a check of a credential. */
export interface CheckedCredential {
  /** The session, live or ended. Undefined if there never was one. */
  readonly status: SessionStatus | undefined;
  /** Undefined if the credential is not valid for this session. */
  readonly grant: Grant | undefined;
  /** Reason of the end if the credential is a token that has recently ended. */
  readonly end?: TokenEnd | undefined;
}

/**
 * Decides which rights a token gives in a session. The gateway and all routes of a session use this class.
 * The caller decides if these rights are enough.
 */
export class SessionAccess {
  constructor(
    private readonly sessions: SessionService,
    private readonly tokens: SessionTokens,
  ) {}

  /**
   * Checks a credential. Compares with all tokens of the session in constant time, also if there is no such
   * session. So the duration does not reveal which tokens exist. It can reveal whether this machine runs the
   * session, because the records of all other sessions come from the storage.
   */
  async check(sessionId: string, credential: string | undefined): Promise<CheckedCredential> {
    const status = await this.sessions.find(sessionId);
    const candidate = credential ?? '';
    const generation = status?.record.generation ?? 0;
    const views = this.tokens.opensEmbed(candidate, sessionId, generation);
    const manages = this.tokens.opensAdmin(candidate, sessionId, generation);
    const automates = this.tokens.opensAutomation(candidate, sessionId, generation);
    const live = this.sessions.live(sessionId);
    // The tokens of an ended session are in its record. A client with such a token learns only how the
    // session ended.
    const issued = live ? live.tokens.find(candidate) : findByHash(candidate, status?.record.tokens ?? []);
    if (!status) return { status, grant: undefined };
    if (manages) return { status, grant: { scope: 'admin' } };
    if (issued) return { status, grant: grantBy(issued) };
    const { auth } = status.record.settings;
    if (automates && auth !== 'tokens') return { status, grant: { scope: 'automation' } };
    if (views && auth !== 'tokens') return { status, grant: { scope: 'control' } };
    return { status, grant: undefined, end: live?.tokens.endOf(candidate) };
  }
}
