import { ringOf } from '../create-fields/values/recording-request.js';
import { invalidParameter, ServiceError } from '../service-error.js';
import { SessionCreation } from './creation/session-creation.js';
import { SessionStart } from './creation/session-start.js';
import type { CreateContext, CreatedSession } from './creation/create.js';
import type { ClusterEnd, EndReason } from './records/end-reason.js';
import { Housekeeping } from './housekeeping.js';
import type { EventQueue, HostPool, Registry, SessionTokens, WebhookClient } from './ports.js';
import type { BeginRequest, OtherNodes } from './placement/other-nodes.js';
import type { Placement, PlacementRequest } from './placement/placement.js';
import type { Clock } from '../platform/time/clock.js';
import { withTimeout } from '../platform/time/timeout.js';
import type { RecordedSession } from './recordings/recording-ports.js';
import type { Recordings } from './recordings/recordings.js';
import type { Region } from '../create-fields/values/region.js';
import { RecordWriter } from './records/record-writer.js';
import type { Session } from './session.js';
import { RemoteSessions } from './placement/remote-sessions.js';
import { SessionEvents } from './records/session-events.js';
import { reportEnd, SessionReports } from './session-reports.js';
import { pageOf, type SessionPage } from './records/session-list.js';
import { SessionProfiles, type SessionProfilesParts } from './profiles/session-profiles.js';
import { endedByKill } from './records/recovery.js';
import { requireReady } from './placement/readiness.js';
import type { StartHealth } from './placement/start-health.js';
import { endedBy, type SessionRecord, type SessionStatus } from './records/session-record.js';
import type { CreateRequest } from '../create-fields/create-request.js';
import { TokenService } from './tokens/token-service.js';
import { monthsOf, sumMonths, usageByMonth, usageOf, type MonthlyUsage } from './records/usage.js';

/** Dependencies of the session service. */
export interface SessionServiceParts extends SessionProfilesParts {
  pool: HostPool;
  registry: Registry;
  tokens: SessionTokens;
  /** Database of the records. Absent if the records are files. */
  database?: { readonly available: boolean };
  webhooks: WebhookClient;
  events: EventQueue;
  clock: Clock;
  /** Id of this process, see `Moment`. */
  run: string;
  placement: Placement;
  otherNodes: OtherNodes;
  /** Health of session starts on this machine. If absent, every start is expected to succeed. */
  starts?: StartHealth;
  /** Regions that this service serves, on any node. */
  regions: () => readonly Region[];
  /** Recordings of sessions. Absent: sessions cannot be recorded. */
  recordings?: Recordings;
  /** Days for which the record of an ended session is kept. */
  recordDays: number;
  /** Seconds for which sessions with viewers may continue when the service ends. */
  drainSeconds: number;
}

/** Manages all sessions: creates, finds and ends them, and keeps their records. */
export class SessionService {
  readonly profiles: SessionProfiles;
  readonly tokens: TokenService;
  readonly #live = new Map<string, Session>();
  readonly #records: RecordWriter;
  readonly #creation: SessionCreation;
  readonly #housekeeping: Housekeeping;
  readonly #elsewhere: RemoteSessions;
  readonly #start: SessionStart;
  #closing = false;

  constructor(private readonly parts: SessionServiceParts) {
    const { clock, log, registry } = parts;
    this.#creation = new SessionCreation({ ...parts, start: (...order) => this.#start.start(...order) });
    this.#elsewhere = new RemoteSessions(parts, (id) => this.#live.has(id));
    const events = new SessionEvents(parts.events, log);
    this.profiles = new SessionProfiles(parts, events, (id) => this.#live.get(id));
    this.#records = new RecordWriter(registry, log);
    const owned = { live: this.#live, profiles: this.profiles, records: this.#records };
    const observer = new SessionReports(parts, {
      ...{ ...owned, events, creation: this.#creation, isClosing: () => this.#closing },
      isBeginning: (id) => this.#start.isBeginning(id),
      announce: (id) => this.#start.announce(id),
      recorded: (session) => this.recorded(session),
    });
    this.#start = new SessionStart(parts, {
      ...{ ...owned, observer },
      isClosing: () => this.#closing,
      onStorageFailure: () => this.#housekeeping.verify(),
    });
    this.tokens = new TokenService({ records: this.#records, log });
    this.#housekeeping = new Housekeeping(registry, this.#records, clock, log, parts.recordDays, parts.run);
    parts.metrics.watch(() => this.#statuses());
  }

  /**
   * Throws a {@link ServiceError} if no session can start now, or if the record of a session cannot be
   * written.
   *
   * @param where `here`: on this machine; `anywhere`: on any machine of the service
   */
  requireReady(where: 'here' | 'anywhere' = 'here'): void {
    const { database, starts } = this.parts;
    const { writes } = this.#housekeeping;
    const unsaved = this.profiles.hasUnsaved;
    requireReady({ closing: this.#closing, database, writes, unsaved, starts: starts?.ready ?? true }, where);
  }

  /** Regions for which sessions are created. */
  get regions(): readonly Region[] {
    return this.parts.regions();
  }

  /**
   * Recovers the sessions of a killed service: counts, logs and records their ends, and starts to save their
   * profiles. If an end cannot be recorded, it is recorded later. Call it before the service accepts
   * requests.
   */
  async recover(): Promise<void> {
    const { registry, clock, log } = this.parts;
    const lastAlive = registry.lastAlive() ?? { date: clock.date() };
    const orphans = await registry.unfinished();
    for (const record of orphans) {
      const ended = endedByKill(record, lastAlive);
      reportEnd(ended, this.parts);
      this.#records.write(ended);
      await this.#records.settled();
    }
    if (orphans.length > 0)
      log.warn('recorded the ends of sessions of an earlier process', { sessions: orphans.length });
    this.parts.pool.recover((workingCopy) => this.profiles.recover(workingCopy));
    await this.profiles.start();
    this.#housekeeping.start();
  }

  /** See {@link SessionCreation.create}. */
  async create(request: CreateRequest, context: CreateContext): Promise<CreatedSession> {
    try {
      return await this.#creation.create(request, context);
    } catch (error) {
      // The database may answer and still refuse new rows. A heartbeat at once makes this node not ready.
      if (error instanceof ServiceError && error.code === 'err_database') this.#housekeeping.verify();
      throw error;
    }
  }

  /** See {@link SessionCreation.begin}. */
  begin(order: BeginRequest): Promise<SessionStatus> {
    return this.#creation.begin(order);
  }

  /** See {@link SessionCreation.existing}. */
  existing(sessionId: string): Promise<SessionStatus | undefined> {
    return this.#creation.existing(sessionId);
  }

  /** See {@link SessionCreation.held}. */
  get held(): ReadonlyMap<string, PlacementRequest> {
    return this.#creation.held;
  }

  /** Saves the records of live sessions again, because another node has changed the stored records. */
  rewriteRecords(sessionIds: readonly string[]): void {
    for (const id of sessionIds) {
      const session = this.#live.get(id);
      if (session) this.#records.write(session.status.record);
    }
    void this.profiles.reconcile();
  }

  /** See {@link reportEnd}. For a session of another node, which was lost. */
  reportEnd(record: SessionRecord): void {
    reportEnd(record, this.parts);
  }

  /** Returns a live session. */
  live(sessionId: string): Session | undefined {
    return this.#live.get(sessionId);
  }

  /** Returns the properties of a session that its recordings need. */
  recorded(session: Session): RecordedSession {
    const { timeoutWebhook: hook } = session.secrets;
    const { record } = session.status.record.settings;
    return {
      ...{ id: session.id, tenantId: session.tenantId, tag: session.tag },
      ring: ringOf(record) && record,
      recordingHost: () => session.recordingHost(),
      webhook: hook && { url: hook.url, bearer: hook.bearer },
    };
  }

  /** Returns a session, live or ended. */
  async find(sessionId: string): Promise<SessionStatus | undefined> {
    const live = this.#live.get(sessionId);
    if (live) return live.status;
    const record = await this.parts.registry.get(sessionId);
    return record && endedBy(record);
  }

  /**
   * Returns a page of running sessions, oldest first. The page starts after the session with the id
   * `afterId`, which may have ended. Throws {@link ServiceError} if there is no such session.
   */
  async list(afterId: string | undefined): Promise<SessionPage> {
    const after = afterId === undefined ? undefined : (await this.find(afterId))?.record;
    if (afterId !== undefined && !after) {
      throw invalidParameter('after_id', 'the next of an earlier page');
    }
    return pageOf([...this.#statuses(), ...(await this.#elsewhere.page(after))], after);
  }

  /** Returns the usage of one tenant, or of all tenants, newest month first. */
  async usage(tenantId: string | undefined): Promise<MonthlyUsage[]> {
    const elsewhere = await this.parts.registry.usage(tenantId);
    return usageByMonth(sumMonths(elsewhere, monthsOf(usageOf(this.#statuses()), tenantId)));
  }

  /**
   * Ends a session. Resolves when all its processes have ended and its profile is saved. Safe to call twice.
   * Throws {@link ServiceError} `err_profile_not_saved` if the profile could not be saved, even if the
   * session had already ended.
   */
  async end(sessionId: string, reason: EndReason): Promise<void> {
    await this.#live.get(sessionId)?.end(reason);
    await this.#records.settled();
    if (this.profiles.hasFailed(sessionId)) throw new ServiceError('err_profile_not_saved');
  }

  /**
   * Same as {@link end}, but waits at most `milliseconds`. Resolves with true if the session has ended by
   * then. Otherwise resolves with false, and the session ends later.
   */
  endWithin(sessionId: string, reason: EndReason, milliseconds: number): Promise<boolean> {
    const ended = this.end(sessionId, reason).then(() => true);
    return withTimeout(ended, milliseconds, () => false, this.parts.clock);
  }

  /**
   * Stops accepting sessions and ends all sessions. Sessions with viewers get a warning and some time.
   * Resolves when their records are saved.
   *
   * @param why the cluster's reason, if the cluster ends the sessions
   */
  async close(drainSeconds = this.parts.drainSeconds, why?: ClusterEnd): Promise<void> {
    this.#closing = true;
    const live = [...this.#live.values()];
    await Promise.allSettled(live.map((session) => session.drain(drainSeconds * 1000, why)));
    await this.#housekeeping.stop();
    await this.#records.settled();
    // Retries failed writes for the last time, because no heartbeat follows. If a write fails again, the
    // stored record still says that its session is running.
    await this.#records.retry();
  }

  #statuses(): SessionStatus[] {
    return Array.from(this.#live.values(), (session) => session.status);
  }
}
