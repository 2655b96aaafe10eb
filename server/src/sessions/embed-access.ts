import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { SessionTokens } from './ports.js';
import type { Session } from './session.js';
import type { SessionService } from './session-service.js';

/** Whether somebody may view a session. */
export type AccessDecision =
  | { admitted: true; session: Session }
  | {
      admitted: false;
      reason: ServerDisconnectReason;
      /** A sentence for the person who is refused; short enough for a close frame. */
      message: string;
    };

const STRANGER: AccessDecision = {
  admitted: false,
  reason: 'unauthorized',
  message: 'This address does not open a session. Ask for a new one.',
};

const FAREWELL: Partial<Record<ServerDisconnectReason, string>> = {
  absolute: 'This session has reached its time limit.',
  inactive: 'This session ended because nobody used it.',
  offline: 'This session ended because nobody was connected.',
  resource_limit: 'This session ended because it used more memory, processes or disk than it may.',
  crashed: 'This session stopped because its browser could not be kept running.',
};

/**
 * Decides by the embed token who may view. To somebody without the right token, a session that is live, ended or was never
 * there is the same; only its token holder learns how a session ended. A session whose viewers are decided about by the
 * customer's own endpoint has no embed token: its address lets anybody as far as being asked about.
 */
export class EmbedAccess {
  constructor(
    private readonly sessions: SessionService,
    private readonly tokens: SessionTokens,
  ) {}

  async decide(sessionId: string, token: string | undefined): Promise<AccessDecision> {
    const status = await this.sessions.find(sessionId);
    // Derived for unknown sessions too, so that the time of an answer says nothing either.
    const known = this.tokens.opensEmbed(token ?? '', sessionId, status?.record.generation ?? 0);
    if (!status || !(known || status.record.settings.auth === 'webhook')) return STRANGER;
    const session = this.sessions.live(sessionId);
    if (session) return { admitted: true, session };
    const reason = status.record.ended?.reason ?? 'ended';
    return { admitted: false, reason, message: FAREWELL[reason] ?? 'This session has ended.' };
  }
}
