import type { Socket } from 'node:net';
import type { MethodArgs, MethodResult, ServerDisconnectReason, SessionMethod } from 'cloud-browser/protocol';
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
  Bookmark,
  CloseKind,
  TimeoutKind,
  ViewerHandover,
} from '../host-protocol.js';
import { Arrivals } from './arrivals.js';
import { HostCallError } from './host-call-error.js';
import { hostSessionOf } from './settings/host-session.js';
import type { FileAnswer, FileRequest, Host, HostListener, HostPool, ProfileTransfer } from './ports.js';
import type { Clock, Timer } from '../platform/clock.js';
import type { SessionRecord, SessionState, SessionStatus } from './session-record.js';
import type { SessionSecrets, TimeoutLimits } from './settings/session-settings.js';
import { Timeouts, type TimeoutUpdate } from './timeouts.js';

/** A host that shows no page within this time is given up. */
export const START_TIMEOUT_MS = 60_000;

/** What a session tells its owner. */
export interface SessionObserver {
  onStarted(session: Session, timings: Record<string, number>): void;
  /** A limit has run out; the session ends itself. */
  onTimeout(session: Session, kind: TimeoutKind): void;
  /** `delay`: milliseconds until the end; null: a warning no longer holds. */
  onCloseWarning(session: Session, kind: CloseKind, delay: number | null): void;
  onAuthorize(session: Session, request: AuthorizationRequest): Promise<AuthorizationAnswer>;
  /** Once, after the last sign of life. */
  onEnded(session: Session): void;
}

/** A viewer before the session has said what they may do. */
export type NewViewer = Omit<ViewerHandover, 'auth' | 'controlDisabled' | 'roles' | 'tiedRoles'>;

/** One live session: its state, its limits in time, and the way to its host. */
export class Session implements HostListener {
  readonly id: string;
  /** Resolves when the session is over and nothing of it runs any more. */
  readonly ended: Promise<void>;

  #record: SessionRecord;
  readonly #begun: number;
  #state: SessionState = 'starting';
  #viewers = 0;
  #lastInput: string | null = null;
  #host: Promise<Host> | undefined;
  #startTimer: Timer | undefined;
  #timeouts: Timeouts | undefined;
  readonly #arrivals: Arrivals;
  #ending = false;
  /** What the record is to say of the end. */
  #farewell: string | undefined;
  #resolveEnded: () => void = () => undefined;
  #whenDeserted: () => void = () => undefined;

  constructor(
    record: SessionRecord,
    readonly secrets: SessionSecrets,
    private readonly clock: Clock,
    private readonly observer: SessionObserver,
  ) {
    this.id = record.id;
    this.#record = record;
    this.#begun = clock.now();
    this.#arrivals = new Arrivals(clock, (any) => this.#timeouts?.arriving(any));
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
  }

  get status(): SessionStatus {
    const seconds = this.#record.ended?.seconds ?? this.#age;
    return {
      ...{ record: this.#record, seconds, state: this.#state },
      ...{ viewers: this.#viewers, lastInput: this.#lastInput },
    };
  }

  /** It was asked to end, or has ended. */
  get ending(): boolean {
    return this.#ending || this.#state === 'ended';
  }

  /** Resolves once a host has accepted the session; the start page may still be on its way. Rejects as the pool does. */
  async start(pool: HostPool, profile: ProfileTransfer, adminToken: string): Promise<void> {
    this.#timeouts = new Timeouts(this.#record.settings.timeout, this.clock, {
      onCloseWarning: (kind, delay) => this.#onCloseWarning(kind, delay),
      onTimeout: (kind) => this.#onTimeout(kind),
    });
    const session = hostSessionOf(this.id, this.#record.settings, this.secrets, adminToken);
    this.#host = pool.start(session, profile, this);
    const host = await this.#host;
    if (this.#state !== 'starting') return;
    this.#startTimer = this.clock.setTimeout(() => void host.stop('crashed'), START_TIMEOUT_MS);
  }

  /** A page at this address has what shows the session; its connection is to follow. */
  pageGiven(address: string): void {
    if (this.#state !== 'ended') this.#arrivals.pageGiven(address);
  }

  /** Gives a viewer to the host, which may still be starting. */
  async attach(viewer: NewViewer, socket: Socket): Promise<void> {
    if (this.#state !== 'ended') this.#arrivals.connecting(viewer.userId, viewer.ip);
    const host = await this.#host?.catch(() => undefined);
    if (!host || this.#state === 'ended' || socket.destroyed) {
      socket.destroy();
      this.#arrivals.settled(viewer.userId);
      return;
    }
    const { auth, controlDisabled, roles, tiedRoles } = this.#record.settings;
    const rights = { controlDisabled, roles, tiedRoles };
    host.attach({ ...viewer, ...rights, auth: auth === 'webhook' ? 'ask' : 'granted' }, socket);
  }

  /** Changes the limits in time; returns all of them. */
  updateTimeouts(update: TimeoutUpdate): TimeoutLimits {
    this.#timeouts?.update(update);
    return this.#timeouts?.limits ?? this.#record.settings.timeout;
  }

  async addBookmarks(items: readonly Bookmark[]): Promise<void> {
    (await this.#host)?.addBookmarks(items);
  }

  /** Performs a method of the session with the rights of its admin. Rejects with {@link HostCallError}. */
  call<Method extends SessionMethod>(
    method: Method,
    args: MethodArgs<Method>,
  ): Promise<MethodResult<Method>> {
    return this.forward(method, args);
  }

  /** As {@link call}, with arguments that somebody else chose; the session refuses those that cannot be. */
  async forward<Method extends SessionMethod>(
    method: Method,
    args: readonly unknown[],
  ): Promise<MethodResult<Method>> {
    const host = await this.#host;
    if (!host) throw new HostCallError('err_session_terminated', 'The session has ended.');
    // The host is trusted for the form of its results.
    return (await host.call(method, args)) as MethodResult<Method>;
  }

  /** Passes on a request for bytes of a file. Rejects with {@link HostCallError}. */
  async file(request: FileRequest): Promise<FileAnswer> {
    const host = await this.#host;
    if (!host) throw new HostCallError('err_session_terminated', 'The session has ended.');
    return host.file(request);
  }

  /** Ends the session; resolves when nothing of it runs any more. Safe to call twice. `message`: a sentence for the record. */
  async end(reason: ServerDisconnectReason, message?: string): Promise<void> {
    this.#ending = true;
    this.#farewell ??= message;
    this.#timeouts?.stop();
    const host = await this.#host;
    if (!host) return;
    await host.stop(reason);
    await this.ended;
  }

  /**
   * Gives the people who watch this many milliseconds: they are warned, and it ends when the last of them has left or the time is
   * up. Resolves when it has ended.
   */
  async drain(milliseconds: number): Promise<void> {
    if (this.#viewers > 0 && milliseconds > 0 && !this.ending) {
      this.#onCloseWarning('shutdown', milliseconds);
      let timer: Timer | undefined;
      await Promise.race([
        this.ended,
        new Promise<void>((resolve) => (this.#whenDeserted = resolve)),
        new Promise<void>((resolve) => (timer = this.clock.setTimeout(resolve, milliseconds))),
      ]);
      timer?.cancel();
    }
    await this.end('ended');
  }

  onStarted(timings: Record<string, number>): void {
    if (this.#state !== 'starting') return;
    this.#state = 'running';
    this.#startTimer?.cancel();
    this.#arrivals.renew();
    this.#timeouts?.shown();
    this.observer.onStarted(this, timings);
  }

  onViewers(count: number): void {
    if (this.#state === 'ended') return;
    this.#viewers = count;
    if (count === 0) this.#whenDeserted();
    this.#timeouts?.connected(count);
  }

  onArrived(userId: string): void {
    this.#arrivals.settled(userId);
  }

  onActivity(): void {
    this.#lastInput = this.clock.date().toISOString();
    this.#timeouts?.active();
  }

  onAuthorize(request: AuthorizationRequest): Promise<AuthorizationAnswer> {
    return this.observer.onAuthorize(this, request);
  }

  onEnded(reason: ServerDisconnectReason, message: string): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#viewers = 0;
    this.#startTimer?.cancel();
    this.#timeouts?.stop();
    this.#arrivals.close();
    const at = this.clock.date().toISOString();
    this.#record = {
      ...this.#record,
      ended: { at, seconds: this.#age, reason, message: this.#farewell ?? message },
    };
    this.observer.onEnded(this);
    this.#resolveEnded();
  }

  /** Seconds since it began. */
  get #age(): number {
    return (this.clock.now() - this.#begun) / 1000;
  }

  #onCloseWarning(kind: CloseKind, delay: number | null): void {
    this.observer.onCloseWarning(this, kind, delay);
    this.#host?.then(
      (host) => host.closeWarning(kind, delay),
      () => undefined,
    );
  }

  #onTimeout(kind: TimeoutKind): void {
    this.observer.onTimeout(this, kind);
    this.end(kind).catch(() => undefined);
  }
}
