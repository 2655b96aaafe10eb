import { randomUUID } from 'node:crypto';
import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import { ServiceError } from '../service-error.js';
import type { Log } from '../platform/log.js';
import type { Clock, HostPool, Registry } from './ports.js';
import { Session, type SessionObserver } from './session.js';
import type { SessionRecord, SessionStatus } from './session-record.js';
import { completeSettings, type SessionWishes } from './session-settings.js';

/** What the service needs from the world. */
export interface SessionServiceParts {
  pool: HostPool;
  registry: Registry;
  clock: Clock;
  log: Log;
  /** Sessions that may be live at once. */
  maxSessions: number;
}

/** All sessions: creates, finds and ends them, and keeps their records. */
export class SessionService implements SessionObserver {
  readonly #parts: SessionServiceParts;
  readonly #live = new Map<string, Session>();
  /** Saves of ended sessions that nobody waits for. */
  readonly #saves = new Set<Promise<void>>();
  #closing = false;

  constructor(parts: SessionServiceParts) {
    this.#parts = parts;
  }

  /** False once {@link close} was called. */
  get accepting(): boolean {
    return !this.#closing;
  }

  /** Ends the records of sessions that an earlier service left behind when it was killed. Call before serving. */
  async recover(): Promise<void> {
    const { registry, clock, log } = this.#parts;
    const ended = {
      at: clock.date().toISOString(),
      reason: 'crashed' as const,
      message: 'The service stopped while the session was running.',
    };
    const orphans = await registry.unfinished();
    for (const record of orphans) await registry.save({ ...record, ended });
    if (orphans.length > 0)
      log.warn('ended the records of sessions that were cut off', { sessions: orphans.length });
  }

  /** Resolves once a host has accepted the session. Throws {@link ServiceError}. */
  async create(wishes: SessionWishes): Promise<SessionStatus> {
    const { pool, registry, clock, log, maxSessions } = this.#parts;
    const settings = completeSettings(wishes);
    if (this.#closing) throw new ServiceError('err_unavailable');
    if (this.#live.size >= maxSessions) throw new ServiceError('err_exceeded_vm_limit', maxSessions);
    const createdAt = clock.date().toISOString();
    const session = new Session({ id: randomUUID(), generation: 1, settings, createdAt }, clock, this);
    this.#live.set(session.id, session);
    try {
      await session.start(pool);
      await registry.save(session.status.record);
    } catch (error) {
      this.#live.delete(session.id);
      await session.end('crashed').catch(() => undefined);
      throw error;
    }
    log.info('session begun', {
      session: session.id,
      width: settings.width,
      height: settings.height,
      fps: settings.fps,
    });
    return session.status;
  }

  /** A session that is live. */
  live(sessionId: string): Session | undefined {
    return this.#live.get(sessionId);
  }

  /** A session, live or ended. */
  async find(sessionId: string): Promise<SessionStatus | undefined> {
    const live = this.#live.get(sessionId);
    if (live) return live.status;
    const record = await this.#parts.registry.get(sessionId);
    return record && { record, state: 'ended', viewers: 0, lastInput: null };
  }

  /** Ends a session and resolves when nothing of it runs any more; an ended one is left as it is. */
  async end(sessionId: string, reason: ServerDisconnectReason): Promise<void> {
    await this.#live.get(sessionId)?.end(reason);
    await Promise.all(this.#saves);
  }

  /** Accepts no more sessions and ends all; resolves when their records are kept. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled([...this.#live.values()].map((session) => session.end('ended')));
    await Promise.all(this.#saves);
  }

  onStarted(session: Session, timings: Record<string, number>): void {
    this.#parts.log.info('session shows its page', { session: session.id, timings });
  }

  onEnded(session: Session): void {
    const { record } = session.status;
    if (!this.#live.delete(session.id)) return;
    this.#parts.log.info('session ended', {
      session: session.id,
      reason: record.ended?.reason,
      detail: record.ended?.message,
    });
    this.#keep(record);
  }

  #keep(record: SessionRecord): void {
    const save = this.#parts.registry.save(record).catch((error: unknown) => {
      this.#parts.log.error('a session record could not be saved', { session: record.id, error });
    });
    this.#saves.add(save);
    void save.finally(() => this.#saves.delete(save));
  }
}
