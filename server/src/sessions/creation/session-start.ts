import type { Clock } from '../../platform/time/clock.js';
import type { Log } from '../../platform/log.js';
import { isDatabaseError, isStorageError } from '../../platform/storage-error.js';
import { databaseAway, ServiceError } from '../../service-error.js';
import { startFailed, type StartHealth } from '../placement/start-health.js';
import type { HostPool, ProfileTransfer, Registry, SessionTokens } from '../ports.js';
import type { SessionProfiles } from '../profiles/session-profiles.js';
import type { RecordWriter } from '../records/record-writer.js';
import { unbegun } from '../records/recovery.js';
import type { SessionMetrics } from '../records/session-metrics.js';
import type { Recordings } from '../recordings/recordings.js';
import { Session, type SessionObserver } from '../session.js';
import type { SessionSecrets, SessionSettings } from '../settings/session-settings.js';
import type { BegunSession, CreateContext } from './create.js';
import { SupersededError } from './superseded-error.js';

/** Dependencies of {@link SessionStart}. */
export interface SessionStartParts {
  pool: HostPool;
  registry: Registry;
  tokens: SessionTokens;
  clock: Clock;
  log: Log;
  metrics: Pick<SessionMetrics, 'created'>;
  starts?: Pick<StartHealth, 'assure'>;
  recordings?: Pick<Recordings, 'requireRoom'>;
  /** Id of this process, see `Moment`. */
  run: string;
}

/** The service that owns the started sessions. */
export interface SessionOwner {
  /** Live sessions, including those that are just beginning. */
  live: Map<string, Session>;
  profiles: Pick<SessionProfiles, 'reserve' | 'release'>;
  records: Pick<RecordWriter, 'write'>;
  observer: SessionObserver;
  /** Called when a session could not begin because a file could not be written. */
  onStorageFailure(): void;
  /** Returns true if the service accepts no more sessions. */
  isClosing(): boolean;
}

/** Starts sessions on this node: reserves the profile, starts a host, and stores the record. */
export class SessionStart {
  readonly #beginning = new Set<string>();
  /** For each session whose start is not in the log yet: counts the session, and logs its start. */
  readonly #unannounced = new Map<string, () => void>();

  constructor(
    private readonly parts: SessionStartParts,
    private readonly owner: SessionOwner,
  ) {}

  /** True while an end of the session makes its create request fail. */
  isBeginning(sessionId: string): boolean {
    return this.#beginning.has(sessionId);
  }

  /**
   * Counts a session and logs its start, unless this was done. Call it before the end of a session is logged,
   * because a session may end while it starts.
   */
  announce(sessionId: string): void {
    const announce = this.#unannounced.get(sessionId);
    this.#unannounced.delete(sessionId);
    announce?.();
  }

  /**
   * Resolves when a host has accepted the session and its record is stored. If this machine has not proved
   * yet that its starts work, waits first until the start page is shown. If an end of the session was
   * requested while it started, or if the start failed after a host had accepted the session, resolves with
   * the ending session. Rejects with {@link ServiceError} if no process of the session is left.
   */
  async start(
    id: string,
    settings: SessionSettings,
    secrets: SessionSecrets,
    by: CreateContext['by'],
  ): Promise<BegunSession> {
    const { clock, recordings } = this.parts;
    const { live, profiles, observer } = this.owner;
    if (this.owner.isClosing()) throw new ServiceError('err_unavailable');
    if (settings.record) recordings?.requireRoom();
    const transfer = await profiles.reserve(id, settings.profile, secrets);
    // A closing service ends only the sessions that it had when it began to close. So no session may be added
    // after that.
    if (this.owner.isClosing()) {
      profiles.release(id, settings.profile);
      throw new ServiceError('err_unavailable');
    }
    const createdAt = clock.date().toISOString();
    const begun = { run: this.parts.run, at: clock.now() };
    const session = new Session({ id, generation: 1, settings, createdAt, begun }, secrets, clock, observer);
    live.set(id, session);
    this.#beginning.add(id);
    this.#unannounced.set(id, () => this.#created(session, by));
    try {
      await this.#begin(session, transfer);
    } catch (error) {
      live.delete(id);
      this.#unannounced.delete(id);
      const failure = this.#errorOf(error, session);
      session.end('crashed').catch(() => undefined);
      // The host may write to the profile until its end. So the end of the session releases the profile.
      if (await session.host.ifStarted()) return { session, failure };
      profiles.release(id, settings.profile);
      throw failure;
    } finally {
      this.#beginning.delete(id);
    }
    // A session that already ends counts too, because customers may have received events about it.
    this.announce(id);
    return { session };
  }

  #created({ id, status }: Session, by: CreateContext['by']): void {
    const { log, metrics } = this.parts;
    metrics.created();
    const { width, height, fps, tenantId: tenant } = status.record.settings;
    log.info('session begun', { audit: 'created', session: id, ...by, width, height, fps, tenant });
  }

  async #begin(session: Session, transfer: ProfileTransfer): Promise<void> {
    const { pool, registry, tokens, starts } = this.parts;
    await session.start(pool, transfer, tokens.adminToken(session.id, 1));
    await starts?.assure(session);
    if (session.hasDiedAtStart()) throw startFailed();
    await registry.save(session.status.record);
    // In the same turn as the check below. An end before this line fails the create request, and every later
    // end is recorded.
    this.#beginning.delete(session.id);
    if (session.hasDiedAtStart()) {
      this.owner.records.write(unbegun(session.status.record, 'The session ended while it started.'));
      throw startFailed();
    }
  }

  /**
   * Returns the error for the caller. If the record of the session may have been written, also writes the end
   * of the session into the record.
   */
  #errorOf(error: unknown, session: Session): Error {
    if (!(error instanceof Error)) return new Error(String(error));
    // Another process has replaced this process. When the caller repeats the request, that other process or
    // another node begins the session.
    if (error instanceof SupersededError) return new ServiceError('err_unavailable');
    if (!isStorageError(error) && !isDatabaseError(error)) return error;
    this.parts.log.error('a session could not begin', { session: session.id, error });
    if (isStorageError(error)) {
      this.owner.onStorageFailure();
      return new ServiceError('err_storage');
    }
    // The record may have been written in spite of the error. So an end with the duration 0 is written,
    // because no caller has received the session.
    this.owner.records.write(unbegun(session.status.record, 'The session could not be recorded.'));
    return databaseAway();
  }
}
