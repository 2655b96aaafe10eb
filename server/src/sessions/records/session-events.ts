import type { HandoffState } from 'cloud-browser/protocol';
import type { CloseKind } from '../../host-protocol.js';
import type { Log } from '../../platform/log.js';
import type { ClusterEnd } from './end-reason.js';
import type { EventQueue } from '../ports.js';
import type { LossCause, ProfileOwner } from '../profiles/profile-claims.js';
import type { Session } from '../session.js';

/** Reason why a profile was not saved. The save is tried again only after `failed`. */
export type SaveFailure = 'failed' | 'too_large' | LossCause;

/**
 * Sends webhook events. Sends an event if a limit, the service or the cluster ends a session, and if a
 * profile was not saved. Sends warnings and events about hand-offs only to endpoints that requested them,
 * because other endpoints may treat every event as the end of the session.
 */
export class SessionEvents {
  constructor(
    private readonly queue: EventQueue,
    private readonly log: Log,
  ) {}

  /** Resolves when the event is stored, or cannot be stored. */
  ends(session: Session, kind: CloseKind | 'resource_limit' | ClusterEnd): Promise<void> {
    const body = { session_id: session.id, type: kind };
    return this.#queue(session.id, session.secrets.timeoutWebhook, body);
  }

  /** `delay`: milliseconds until the end. */
  closeWarning(session: Session, kind: CloseKind, delay: number): void {
    if (!session.secrets.timeoutWebhook?.warnings) return;
    const seconds = Math.round(delay / 1000);
    this.#add(session, { session_id: session.id, type: 'warning', timeout: kind, delay: seconds });
  }

  /**
   * Sends an event when a hand-off (an agent's request for a person) begins or ends, if the endpoint
   * requested such events.
   */
  handoff(session: Session, state: HandoffState): void {
    if (!session.secrets.timeoutWebhook?.handoffs) return;
    const { id, name, agent, instructions, expiresAt, outcome, note, answeredBy } = state;
    const handoff = { id, name, agent, instructions, expires_at: expiresAt };
    const ended = outcome && { outcome, note, answered_by: answeredBy };
    const type = ended ? 'handoff.finished' : 'handoff.requested';
    this.#add(session, { session_id: session.id, type, handoff: { ...handoff, ...ended } });
  }

  /** Resolves when the event is stored, or cannot be stored. */
  profileSaveFailed(owner: ProfileOwner, profile: string, cause: SaveFailure): Promise<void> {
    const { sessionId, webhook } = owner;
    const final = cause !== 'failed';
    const body = { session_id: sessionId, type: 'profile_save_failed', profile, final, cause };
    return this.#queue(sessionId, webhook, body);
  }

  #add(session: Session, body: Record<string, unknown>): void {
    void this.#queue(session.id, session.secrets.timeoutWebhook, body);
  }

  async #queue(sessionId: string, target: ProfileOwner['webhook'], body: object): Promise<void> {
    if (!target) return;
    const { url, bearer } = target;
    try {
      await this.queue.add({ sessionId, url, bearer, body });
    } catch (error) {
      this.log.error('could not store an event', { session: sessionId, body, error });
    }
  }
}
