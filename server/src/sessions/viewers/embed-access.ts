import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import { viewerReason, type EndReason } from '../records/end-reason.js';
import { KILLED_MESSAGE } from '../records/recovery.js';
import type { SessionRecord } from '../records/session-record.js';
import type { Session } from '../session.js';
import type { SessionService } from '../session-service.js';
import type { TokenEnd, TokenScope } from '../../host-protocol.js';
import type { Grant } from '../tokens/grant.js';
import type { SessionAccess } from '../tokens/session-access.js';

/** Decision about access to a session. */
export type AccessDecision =
  | { admitted: true; session: Session; grant: Grant }
  | {
      admitted: false;
      reason: ServerDisconnectReason;
      /** Sentence for the refused user. It is short enough for a close frame. */
      message: string;
    };

const STRANGER: AccessDecision = {
  admitted: false,
  reason: 'unauthorized',
  message: 'This address does not open a session. Ask for a new one.',
};

const TOKEN_ENDS: Record<TokenEnd, string> = {
  token_expired: 'This address has expired. Ask for a new one.',
  token_revoked: 'This address is no longer valid. Ask for a new one.',
};

/** Scopes of the tokens that open the page of a session. */
const SCOPES_OF_VIEWERS: ReadonlySet<TokenScope> = new Set(['view', 'control']);

const FAREWELL: Partial<Record<EndReason, string>> = {
  absolute: 'This session has reached its time limit.',
  inactive: 'This session ended because no user was active.',
  offline: 'This session ended because no user was connected.',
  resource_limit: 'This session ended because it used more memory, processes or disk than allowed.',
  superseded: 'This session ended because a newer session has replaced it.',
  cut_off: 'This session ended because its machine lost contact with the service.',
  taken_over: 'This session ended because its machine lost contact with the service.',
  crashed: 'This session stopped because its browser could not be kept running.',
  ended: 'This session ended because the service was stopped.',
};

/**
 * Decides by the token who may view a session. A caller with a valid token is admitted, or learns how the
 * session ended. A caller with an expired or revoked token of a live session learns only the end of the
 * token. For all other callers, the answer is the same for a live session, an ended session and a session
 * that never existed. A session with an authorization endpoint needs no token here. Every user with the
 * session's address is admitted, and the endpoint decides later.
 */
export class EmbedAccess {
  constructor(
    private readonly sessions: SessionService,
    private readonly access: SessionAccess,
  ) {}

  async decide(sessionId: string, token: string | undefined): Promise<AccessDecision> {
    const { status, grant: given, end } = await this.access.check(sessionId, token);
    const grant = given && SCOPES_OF_VIEWERS.has(given.scope) ? given : undefined;
    if (end && status?.record.settings.auth !== 'webhook')
      return { admitted: false, reason: end, message: TOKEN_ENDS[end] };
    if (!status || !(grant || status.record.settings.auth === 'webhook')) return STRANGER;
    const session = this.sessions.live(sessionId);
    if (session) return { admitted: true, session, grant: grant ?? { scope: 'control' } };
    const { ended } = status.record;
    return { admitted: false, reason: viewerReason(ended?.reason ?? 'ended'), message: farewell(ended) };
  }
}

function farewell(ended: SessionRecord['ended']): string {
  // The record of a session whose service was killed has the same reason as one whose browser crashed.
  if (ended?.message === KILLED_MESSAGE) return 'This session ended because its service was killed.';
  return (ended && FAREWELL[ended.reason]) ?? 'This session has ended.';
}
