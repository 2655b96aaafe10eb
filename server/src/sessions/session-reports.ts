import type { HandoffState } from 'cloud-browser/protocol';
import { ringOf } from '../create-fields/values/recording-request.js';
import type {
  AgentUse,
  AuthorizationAnswer,
  AuthorizationRequest,
  CloseKind,
  TimeoutKind,
} from '../host-protocol.js';
import type { SessionCreation } from './creation/session-creation.js';
import type { StartHealth } from './placement/start-health.js';
import type { SessionProfiles } from './profiles/session-profiles.js';
import { isClusterEnd, type ClusterEnd, type EndReason } from './records/end-reason.js';
import type { RecordWriter } from './records/record-writer.js';
import type { SessionEvents } from './records/session-events.js';
import type { SessionRecord } from './records/session-record.js';
import type { RecordedSession } from './recordings/recording-ports.js';
import type { Recordings } from './recordings/recordings.js';
import type { Session, SessionObserver } from './session.js';
import { WebhookAuthorizer, type WebhookAuthorizerParts } from './viewers/webhook-authorizer.js';

/** Dependencies of {@link SessionReports}. */
export interface SessionReportsParts extends WebhookAuthorizerParts {
  /** Health of session starts on this machine. */
  starts?: Pick<StartHealth, 'succeeded' | 'failed'>;
  /** Recordings of sessions. Absent: sessions cannot be recorded. */
  recordings?: Pick<Recordings, 'start'>;
}

/** The service that owns the sessions. */
export interface ReportsOwner {
  live: Map<string, Session>;
  events: SessionEvents;
  profiles: Pick<SessionProfiles, 'release'>;
  creation: Pick<SessionCreation, 'ended'>;
  records: Pick<RecordWriter, 'write'>;
  /** True if the service accepts no more sessions, and ends those that it has. */
  isClosing(): boolean;
  /** True while an end of the session makes its create request fail. */
  isBeginning(sessionId: string): boolean;
  /** Counts a session and logs its start, unless this was done. */
  announce(sessionId: string): void;
  /** Returns the properties of a session that its recordings need. */
  recorded(session: Session): RecordedSession;
}

/** Counts the end of a session, and logs it for auditors. */
export function reportEnd(
  { id, ended }: SessionRecord,
  { metrics, log }: Pick<SessionReportsParts, 'metrics' | 'log'>,
): void {
  metrics.ended(ended?.reason ?? 'ended');
  log.info('session ended', {
    audit: 'ended',
    session: id,
    reason: ended?.reason,
    detail: ended?.message,
    seconds: ended?.seconds,
  });
}

/** Handles the events of all sessions: counts them, sends them to customers, and records the end. */
export class SessionReports implements SessionObserver {
  readonly #authorizer: WebhookAuthorizer;
  /** Writes of the events of sessions that end by a time limit, by session id. */
  readonly #timeouts = new Map<string, Promise<void>>();

  constructor(
    private readonly parts: SessionReportsParts,
    private readonly owner: ReportsOwner,
  ) {
    this.#authorizer = new WebhookAuthorizer(parts);
  }

  onStarted(session: Session, timings: Record<string, number>): void {
    this.parts.metrics.started(session.status.seconds);
    this.parts.starts?.succeeded(session.begun);
    this.parts.log.debug('session shows its page', { session: session.id, timings });
    this.#recordAtStart(session);
  }

  onTimeout(session: Session, kind: TimeoutKind): void {
    this.#timeouts.set(session.id, this.owner.events.ends(session, kind));
  }

  onCloseWarning(session: Session, kind: CloseKind, delay: number | null): void {
    if (delay !== null) this.owner.events.closeWarning(session, kind, delay);
  }

  onHandoff(session: Session, state: HandoffState): void {
    this.parts.metrics.agents.handoff(state);
    this.owner.events.handoff(session, state);
  }

  onAgentUse(session: Session, use: AgentUse): void {
    this.parts.metrics.agents.used(session.id, use);
  }

  onAuthorize(session: Session, request: AuthorizationRequest): Promise<AuthorizationAnswer> {
    return this.#authorizer.authorize(session, request);
  }

  onEnded(session: Session): void {
    const { record } = session.status;
    this.parts.metrics.agents.ended(session.id);
    this.owner.profiles.release(session.id, record.settings.profile);
    this.owner.creation.ended(session.id);
    const timeout = this.#timeouts.get(session.id);
    this.#timeouts.delete(session.id);
    const { ended } = record;
    if (session.hasDiedAtStart() && ended?.reason === 'crashed')
      this.parts.starts?.failed('session', ended.message);
    // The create request of this session fails, so the session gets no record.
    if (session.hasDiedAtStart() && this.owner.isBeginning(session.id)) return;
    if (!this.owner.live.delete(session.id)) return;
    this.owner.announce(session.id);
    const event = this.#endEvent(ended?.reason);
    const stored = event ? this.owner.events.ends(session, event) : timeout;
    reportEnd(record, this.parts);
    // The event precedes the record. If the service is killed in between, its next start finds a running
    // session, and the event is not lost.
    this.owner.records.write(record, stored);
  }

  /** Returns the kind of the event about an end. Undefined: the end has no event, or has sent it already. */
  #endEvent(reason: EndReason | undefined): 'shutdown' | 'resource_limit' | ClusterEnd | undefined {
    if (reason === 'ended' && this.owner.isClosing()) return 'shutdown';
    return reason && (reason === 'resource_limit' || isClusterEnd(reason)) ? reason : undefined;
  }

  /** Starts the recording that a session's create request contains. */
  #recordAtStart(session: Session): void {
    const { recordings, log } = this.parts;
    const { record } = session.status.record.settings;
    if (!record || !recordings || ringOf(record)) return;
    recordings.start(this.owner.recorded(session), record).catch((error: unknown) => {
      const fields = { session: session.id, error };
      if (session.ending) log.info('a session ended before its recording started', fields);
      else log.error('could not record a session', fields);
    });
  }
}
