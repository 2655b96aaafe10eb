import { ServiceError } from '../../service-error.js';
import type { TokenScope } from '../../host-protocol.js';
import type { Session } from '../session.js';
import type { SessionService } from '../session-service.js';
import type { Grant } from '../tokens/grant.js';
import type { SessionAccess } from '../tokens/session-access.js';

/** Scopes of the tokens with which a program may drive a session. */
const SCOPES: ReadonlySet<TokenScope> = new Set(['automation', 'admin']);

/** A program that may drive a session. */
export interface AutomationGrant {
  readonly session: Session;
  readonly grant: Grant;
}

/** Decides by the token which programs may drive a session. */
export class AutomationAccess {
  constructor(
    private readonly sessions: SessionService,
    private readonly access: SessionAccess,
  ) {}

  /**
   * Returns the live session that a token opens, and the rights of the token. Rejects with
   * {@link ServiceError}. Without a valid token, the error is the same for a live session, an ended session
   * and a session that never existed.
   */
  async decide(sessionId: string, token: string | undefined): Promise<AutomationGrant> {
    const { grant } = await this.access.check(sessionId, token);
    if (!grant || (grant.tokenId === undefined && grant.scope === 'control'))
      throw new ServiceError('err_unauthenticated');
    if (!SCOPES.has(grant.scope))
      throw new ServiceError('err_token_scope', grant.scope, [...SCOPES].join(' or '));
    const session = this.sessions.live(sessionId);
    if (!session) throw new ServiceError('err_session_terminated');
    if (!session.hasAutomation) throw new ServiceError('err_no_automation');
    return { session, grant };
  }
}
