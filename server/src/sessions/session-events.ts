import type { CloseKind } from '../host-protocol.js';
import type { Log } from '../platform/log.js';
import type { EventQueue } from './ports.js';
import type { Session } from './session.js';

/**
 * Tells a customer's endpoint that a session is ended by a limit in time or of what it uses, or with the service, when that was asked for that it soon will be, and
 * that its profile was not saved.
 * Receivers in public end their own session on any event, so a warning goes only to those who expect one.
 */
export class SessionEvents {
  constructor(
    private readonly queue: EventQueue,
    private readonly log: Log,
  ) {}

  ends(session: Session, kind: CloseKind | 'resource_limit'): void {
    this.#add(session, { session_id: session.id, type: kind });
  }

  /** `delay`: milliseconds until the end. */
  closeWarning(session: Session, kind: CloseKind, delay: number): void {
    if (!session.secrets.timeoutWebhook?.warnings) return;
    const seconds = Math.round(delay / 1000);
    this.#add(session, { session_id: session.id, type: 'warning', timeout: kind, delay: seconds });
  }

  /** `final`: it is not tried again. */
  profileSaveFailed(session: Session, profile: string, final: boolean): void {
    this.#add(session, { session_id: session.id, type: 'profile_save_failed', profile, final });
  }

  #add(session: Session, body: Record<string, unknown>): void {
    const target = session.secrets.timeoutWebhook;
    if (!target) return;
    const { url, bearer } = target;
    this.queue.add({ sessionId: session.id, url, bearer, body }).catch((error: unknown) => {
      this.log.error('an event could not be kept', { session: session.id, type: body['type'], error });
    });
  }
}
