import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { AuthorizationAnswer, AuthorizationRequest, CloseKind, TimeoutKind } from '../host-protocol.js';
import { databaseAway, invalidParameter, ServiceError } from '../service-error.js';
import type { Log } from '../platform/log.js';
import { Beginnings } from './beginnings.js';
import type { CreateContext, CreatedSession } from './create.js';
import { Housekeeping } from './housekeeping.js';
import type {
  EventQueue,
  HostPool,
  ProfileClaims,
  ProfileStore,
  Registry,
  SessionTokens,
  WebhookClient,
} from './ports.js';
import type { BeginOrder, OtherNodes } from './other-nodes.js';
import type { Placement, Wanted } from './placement.js';
import type { Clock } from '../platform/clock.js';
import { isDatabaseError, isStorageError } from '../platform/storage-error.js';
import { ProfileBook, type SaveObserver, type SaveResult } from './profile-book.js';
import { Questions } from './questions.js';
import type { Region } from './settings/region.js';
import { RecordKeeper } from './record-keeper.js';
import { Session, type SessionObserver } from './session.js';
import { SessionsElsewhere } from './sessions-elsewhere.js';
import { SessionEvents } from './session-events.js';
import { pageOf, type SessionPage } from './session-list.js';
import type { SessionMetrics } from './session-metrics.js';
import { endedByKill, unbegun } from './recovery.js';
import { secondsOf, type SessionStatus } from './session-record.js';
import { SupersededError } from './superseded-error.js';
import type { SessionSecrets, SessionSettings } from './settings/session-settings.js';
import type { CreateRequest } from './settings/create-request.js';
import { monthsOf, sumMonths, usageByMonth, usageOf, type MonthOfUsage } from './usage.js';

/** What the service needs from the world. */
export interface SessionServiceParts {
  pool: HostPool;
  registry: Registry;
  tokens: SessionTokens;
  profiles: ProfileStore;
  /** Of all machines; absent where this one is alone. */
  profileClaims?: ProfileClaims;
  /** Where the records are; absent where they are files. */
  database?: { readonly available: boolean };
  webhooks: WebhookClient;
  events: EventQueue;
  metrics: SessionMetrics;
  clock: Clock;
  log: Log;
  /** Names this process, see `Moment`. */
  run: string;
  placement: Placement;
  otherNodes: OtherNodes;
  /** The regions that are served. */
  regions: () => readonly Region[];
  /** Days for which the record of an ended session is kept. */
  recordDays: number;
  /** What sessions with viewers have at the end of the service. */
  drainSeconds: number;
}

/** All sessions: creates, finds and ends them, and keeps their records. */
export class SessionService implements SessionObserver, SaveObserver {
  readonly #live = new Map<string, Session>();
  readonly #records: RecordKeeper;
  readonly #beginnings: Beginnings;
  readonly #profiles: ProfileBook;
  readonly #events: SessionEvents;
  readonly #housekeeping: Housekeeping;
  readonly #questions: Questions;
  readonly #elsewhere: SessionsElsewhere;
  #closing = false;

  constructor(private readonly parts: SessionServiceParts) {
    const { clock, log, registry } = parts;
    this.#beginnings = new Beginnings({ ...parts, start: (...session) => this.#start(...session) });
    this.#questions = new Questions(parts);
    this.#elsewhere = new SessionsElsewhere(parts, (id) => this.#live.has(id));
    this.#profiles = new ProfileBook(parts.profiles, this, parts.profileClaims);
    this.#events = new SessionEvents(parts.events, log);
    this.#records = new RecordKeeper(registry, log);
    this.#housekeeping = new Housekeeping(registry, this.#records, clock, log, parts.recordDays, parts.run);
    parts.metrics.watch(() => this.#statuses());
  }

  /** Throws a {@link ServiceError} that says why no session can be begun now, or kept. */
  requireReady(): void {
    if (this.#closing) throw new ServiceError('err_unavailable');
    const { database } = this.parts;
    const { writes } = this.#housekeeping;
    if (database && !(database.available && writes)) throw databaseAway();
    if (!writes || this.#profiles.hasUnsaved) throw new ServiceError('err_storage');
  }

  /** The regions that sessions are created for. */
  get regions(): readonly Region[] {
    return this.parts.regions();
  }

  /** Ends the records of sessions that a killed service left behind, and has their profiles saved. Call before serving. */
  async recover(): Promise<void> {
    const { registry, clock, log } = this.parts;
    const lastAlive = registry.lastAlive() ?? { date: clock.date() };
    const orphans = await registry.unfinished();
    for (const record of orphans) await registry.save(endedByKill(record, lastAlive));
    if (orphans.length > 0)
      log.warn('ended the records of sessions that were cut off', { sessions: orphans.length });
    this.parts.pool.takeUp((profileId) => this.#profiles.takeUp(profileId));
    this.#housekeeping.start();
  }

  /** See {@link Beginnings.create}. */
  create(request: CreateRequest, context: CreateContext): Promise<CreatedSession> {
    return this.#beginnings.create(request, context);
  }

  /** See {@link Beginnings.begin}. */
  begin(order: BeginOrder): Promise<CreatedSession> {
    return this.#beginnings.begin(order);
  }

  /** See {@link Beginnings.existing}. */
  existing(sessionId: string): Promise<CreatedSession | undefined> {
    return this.#beginnings.existing(sessionId);
  }

  /** See {@link Beginnings.held}. */
  get held(): ReadonlyMap<string, Wanted> {
    return this.#beginnings.held;
  }

  /** Writes records of live sessions anew, which somebody else has changed. */
  keepAgain(sessionIds: readonly string[]): void {
    for (const id of sessionIds) {
      const session = this.#live.get(id);
      if (session) this.#records.keep(session.status.record);
    }
  }

  /** A session that is live. */
  live(sessionId: string): Session | undefined {
    return this.#live.get(sessionId);
  }

  /** A session, live or ended. */
  async find(sessionId: string): Promise<SessionStatus | undefined> {
    const live = this.#live.get(sessionId);
    if (live) return live.status;
    const record = await this.parts.registry.get(sessionId);
    return record && { record, seconds: secondsOf(record), state: 'ended', viewers: 0, lastInput: null };
  }

  /** Running sessions, oldest first, behind the one named. Throws {@link ServiceError} when there was never such a one. */
  async list(afterId: string | undefined): Promise<SessionPage> {
    const after = afterId === undefined ? undefined : (await this.find(afterId))?.record;
    if (afterId !== undefined && !after) {
      throw invalidParameter('after_id', 'the next of an earlier page');
    }
    return pageOf([...this.#statuses(), ...(await this.#elsewhere.page(after))], after);
  }

  /** Usage of one tenant, or of everything; newest month first. */
  async usage(tenantId: string | undefined): Promise<MonthOfUsage[]> {
    const elsewhere = await this.parts.registry.usage(tenantId);
    return usageByMonth(sumMonths(elsewhere, monthsOf(usageOf(this.#statuses()), tenantId)));
  }

  /**
   * Ends a session and resolves when nothing of it runs any more and its profile is saved; an ended one is left as it is. Throws
   * {@link ServiceError} `err_profile_not_saved`.
   *
   * @param message a sentence for the record, where there is more to say than the reason does
   */
  async end(sessionId: string, reason: ServerDisconnectReason, message?: string): Promise<void> {
    await this.#live.get(sessionId)?.end(reason, message);
    await this.#records.settled();
    if (this.#profiles.hasFailed(sessionId)) throw new ServiceError('err_profile_not_saved');
  }

  /**
   * Accepts no more sessions and ends all, those with viewers after a warning and some time; resolves when their records are kept.
   */
  async close(drainSeconds = this.parts.drainSeconds): Promise<void> {
    this.#closing = true;
    await Promise.allSettled([...this.#live.values()].map((session) => this.#drain(session, drainSeconds)));
    await this.#housekeeping.stop();
    await this.#records.settled();
  }

  onStarted(session: Session, timings: Record<string, number>): void {
    this.parts.metrics.started(session.status.seconds);
    this.parts.log.debug('session shows its page', { session: session.id, timings });
  }

  onTimeout(session: Session, kind: TimeoutKind): void {
    this.#events.ends(session, kind);
  }

  onCloseWarning(session: Session, kind: CloseKind, delay: number | null): void {
    if (delay !== null) this.#events.closeWarning(session, kind, delay);
  }

  onAuthorize(session: Session, request: AuthorizationRequest): Promise<AuthorizationAnswer> {
    return this.#questions.ask(session, request);
  }

  onSave(result: SaveResult, profile: string, sessionId: string | undefined, error: unknown): void {
    this.parts.metrics.profileSave(result);
    if (result === 'saved') return;
    this.parts.log.error('a profile could not be saved', { profile, session: sessionId, result, error });
    const session = sessionId === undefined ? undefined : this.#live.get(sessionId);
    if (session) this.#events.profileSaveFailed(session, profile, result === 'given_up');
  }

  onEnded(session: Session): void {
    const { record } = session.status;
    this.#profiles.release(session.id, record.settings.profile);
    this.#beginnings.over(session.id);
    if (!this.#live.delete(session.id)) return;
    const { ended } = record;
    this.parts.metrics.ended(ended?.reason ?? 'ended');
    if (ended?.reason === 'resource_limit') this.#events.ends(session, 'resource_limit');
    this.parts.log.info('session ended', {
      audit: 'ended',
      session: session.id,
      reason: ended?.reason,
      detail: ended?.message,
      seconds: ended?.seconds,
    });
    this.#records.keep(record);
  }

  async #start(
    id: string,
    settings: SessionSettings,
    secrets: SessionSecrets,
    { by }: CreateContext,
  ): Promise<Session> {
    const { pool, registry, tokens, clock, log, metrics } = this.parts;
    if (this.#closing) throw new ServiceError('err_unavailable');
    const transfer = await this.#profiles.reserve(id, settings.profile);
    const createdAt = clock.date().toISOString();
    const begun = { run: this.parts.run, at: clock.now() };
    const session = new Session({ id, generation: 1, settings, createdAt, begun }, secrets, clock, this);
    this.#live.set(id, session);
    try {
      await session.start(pool, transfer, tokens.adminToken(id, 1));
      await registry.save(session.status.record);
    } catch (error) {
      this.#live.delete(id);
      this.#profiles.release(id, settings.profile);
      await session.end('crashed').catch(() => undefined);
      // Another process is this node now: it, or any other one, begins the session when it is asked for again.
      if (error instanceof SupersededError) throw new ServiceError('err_unavailable');
      if (!isStorageError(error) && !isDatabaseError(error)) throw error;
      log.error('a session could not begin', { session: id, error });
      if (isStorageError(error)) throw new ServiceError('err_storage');
      // It may have been written all the same. Nobody pays for a session that was not given out.
      this.#records.keep(unbegun(session.status.record));
      throw databaseAway();
    }
    metrics.created();
    const { width, height, fps, tenantId: tenant } = settings;
    log.info('session begun', { audit: 'created', session: id, ...by, width, height, fps, tenant });
    return session;
  }

  async #drain(session: Session, seconds: number): Promise<void> {
    await session.drain(seconds * 1000);
    // It may have ended for another reason meanwhile.
    if (session.status.record.ended?.reason === 'ended') this.#events.ends(session, 'shutdown');
  }

  #statuses(): SessionStatus[] {
    return Array.from(this.#live.values(), (session) => session.status);
  }
}
