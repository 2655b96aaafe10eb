import type { Socket } from 'node:net';
import type { HandoffState, ServerDisconnectReason } from 'cloud-browser/protocol';
import type {
  AgentUse,
  AuthorizationAnswer,
  AuthorizationRequest,
  AutomationHandover,
  CloseKind,
  TimeoutKind,
  ViewerHandover,
} from '../host-protocol.js';
import { afterArrivals } from '../platform/time/turns.js';
import { PendingViewers } from './viewers/pending-viewers.js';
import { viewerReason, type EndReason } from './records/end-reason.js';
import { HostConnection } from './host-connection.js';
import { hostSessionOf } from './settings/host-session.js';
import type { HostListener, HostPool, ProfileTransfer } from './ports.js';
import type { RecordingHost } from './recordings/recording-ports.js';
import { ServiceError } from '../service-error.js';
import type { Clock, Timer } from '../platform/time/clock.js';
import { withTimeout } from '../platform/time/timeout.js';
import { LiveRecord } from './records/live-record.js';
import type { SessionRecord, SessionState, SessionStatus } from './records/session-record.js';
import type { SessionSecrets } from './settings/session-settings.js';
import type { TimeoutLimits } from '../create-fields/values/time-limits.js';
import type { Grant } from './tokens/grant.js';
import { IssuedTokens, type TokenOrder } from './tokens/issued-tokens.js';
import type { TokenRecord } from './tokens/token-record.js';
import { viewerRights, type ViewerRights } from './tokens/viewer-rights.js';
import { Timeouts, type TimeoutUpdate } from './timeouts.js';

/** Timeout in milliseconds for the start page. If the page is not shown in this time, the session ends. */
export const START_TIMEOUT_MS = 60_000;

/** Observer of the events of a session. */
export interface SessionObserver {
  onStarted(session: Session, timings: Record<string, number>): void;
  /** Called when a time limit has run out. The session then ends itself. */
  onTimeout(session: Session, kind: TimeoutKind): void;
  /** `delay`: milliseconds until the end. Null withdraws the warning. */
  onCloseWarning(session: Session, kind: CloseKind, delay: number | null): void;
  /** Called when a hand-off (an agent's request for a person) has begun or ended. */
  onHandoff(session: Session, state: HandoffState): void;
  /** Called when agents have joined, left or sent commands. */
  onAgentUse(session: Session, use: AgentUse): void;
  onAuthorize(session: Session, request: AuthorizationRequest): Promise<AuthorizationAnswer>;
  /** Called once, after all other events. */
  onEnded(session: Session): void;
}

/** A viewer whose rights the session has not set yet. */
export type NewViewer = Omit<ViewerHandover, keyof ViewerRights>;

/** One live session: its state, its time limits, its tokens and its pending viewers. */
export class Session implements HostListener {
  readonly id: string;
  readonly host = new HostConnection();
  /** Tokens that were issued for this session. */
  readonly tokens: IssuedTokens;
  /** Resolves when the session and all its processes have ended. */
  readonly ended: Promise<void>;
  /**
   * Resolves with true when the page is on the display, and with false if the session ends, or its end is
   * requested, earlier.
   */
  readonly shown: Promise<boolean>;

  readonly #record: LiveRecord;
  #state: SessionState = 'starting';
  #viewers = 0;
  #lastInput: string | null = null;
  #standby = false;
  #startTimer: Timer | undefined;
  #timeouts: Timeouts | undefined;
  readonly #pendingViewers: PendingViewers;
  readonly #handoffs = new Map<string, HandoffState>();
  #diedAtStart = false;
  #resolveEnded: () => void = () => undefined;
  #resolveShown: (shown: boolean) => void = () => undefined;
  #whenDeserted: () => void = () => undefined;

  constructor(
    record: SessionRecord,
    readonly secrets: SessionSecrets,
    private readonly clock: Clock,
    private readonly observer: SessionObserver,
  ) {
    this.id = record.id;
    this.#record = new LiveRecord(record, clock);
    this.#pendingViewers = new PendingViewers(clock, (any) => this.#timeouts?.arriving(any));
    this.tokens = new IssuedTokens(clock, ({ id }, reason) => {
      this.#recordTokens();
      this.host.tell((host) => host.endToken(id, reason));
    });
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.shown = new Promise((resolve) => (this.#resolveShown = resolve));
  }

  get status(): SessionStatus {
    return {
      record: this.#record.current,
      seconds: this.#record.seconds,
      state: this.ending && this.#state !== 'ended' ? 'ending' : this.#state,
      ...{ viewers: this.#viewers, lastInput: this.#lastInput, standby: this.#standby },
    };
  }

  /** True if an end was requested, or the session has ended. */
  get ending(): boolean {
    return this.requestedEnd !== undefined || this.#state === 'ended';
  }

  /** True if the session ended by itself before it showed its start page. */
  hasDiedAtStart(): boolean {
    return this.#diedAtStart;
  }

  /** Time at which the start began, in milliseconds of the service's clock. */
  get begun(): number {
    return this.#record.begun;
  }

  /**
   * Resolves once a host has accepted the session. The start page may not be shown yet. Rejects with the
   * errors of the pool.
   */
  async start(pool: HostPool, profile: ProfileTransfer, adminToken: string): Promise<void> {
    this.#timeouts = new Timeouts(this.#record.current.settings.timeout, this.clock, {
      onCloseWarning: (kind, delay) => this.#onCloseWarning(kind, delay),
      onTimeout: (kind) => this.#onTimeout(kind),
    });
    const session = hostSessionOf(this.id, this.#record.current.settings, this.secrets, adminToken);
    const started = pool.start(session, profile, this);
    this.host.use(started);
    const host = await started;
    if (this.#state !== 'starting') return;
    const fail = (): void => {
      if (this.#state === 'starting') void host.stop('crashed');
    };
    // The page may have been shown while this process was stopped.
    this.#startTimer = this.clock.setTimeout(() => afterArrivals(fail), START_TIMEOUT_MS);
  }

  /**
   * Records that a browser at this IP address loaded the viewer page or the embed module. A viewer usually
   * connects from this address soon after.
   */
  pageLoaded(address: string): void {
    if (this.#state !== 'ended') this.#pendingViewers.pageLoaded(address);
  }

  /** Makes a token of this session. Throws `ServiceError`. */
  issueToken(order: TokenOrder): { record: TokenRecord; secret: string } {
    const issued = this.tokens.issue(order);
    const { id, scope, hash } = issued.record;
    this.#recordTokens();
    if (scope === 'admin') this.host.tell((host) => host.admitAdmin(id, hash));
    return issued;
  }

  /** Ends a token and the connections that it admitted. Returns false if no valid token has this id. */
  revokeToken(tokenId: string): boolean {
    return this.tokens.end(tokenId, 'token_revoked');
  }

  /**
   * Passes a viewer to the host as soon as the host has started. Closes the socket if the session has ended.
   */
  async attach(newcomer: NewViewer, socket: Socket, grant: Grant): Promise<void> {
    const viewer = { ...newcomer, userId: grant.userId ?? newcomer.userId };
    if (this.#state !== 'ended') this.#pendingViewers.connecting(viewer.userId, viewer.ip);
    const host = await this.host.ifStarted();
    if (!host || this.#state === 'ended' || socket.destroyed) {
      socket.destroy();
      this.#pendingViewers.settled(viewer.userId);
      return;
    }
    host.attach({ ...viewer, ...viewerRights(this.#record.current.settings, grant) }, socket);
  }

  /** True if programs may drive the session. */
  get hasAutomation(): boolean {
    // Records of older versions do not have the setting.
    return (this.#record.current.settings.automation ?? null) !== null;
  }

  /**
   * Passes the connection of a program that drives the session to the host, as soon as the host has started.
   * Closes the socket if the session has ended.
   */
  async automate(client: AutomationHandover, socket: Socket): Promise<void> {
    const host = await this.host.ifStarted();
    if (!host || this.#state === 'ended' || socket.destroyed) socket.destroy();
    else host.automate(client, socket);
  }

  /** Changes the time limits, and returns all of them. */
  updateTimeouts(update: TimeoutUpdate): TimeoutLimits {
    this.#timeouts?.update(update);
    return this.#timeouts?.limits ?? this.#record.current.settings.timeout;
  }

  get tenantId(): string | null {
    return this.#record.current.settings.tenantId;
  }

  get tag(): string | null {
    return this.#record.current.settings.tag;
  }

  /** Returns the host for a recording. Throws {@link ServiceError} if the session has ended. */
  async recordingHost(): Promise<RecordingHost> {
    const host = this.ending ? undefined : await this.host.ifStarted();
    if (!host || this.ending) throw new ServiceError('err_session_terminated');
    return host;
  }

  /** Ends the session. Resolves when all its processes have ended. Safe to call twice. */
  async end(reason: EndReason): Promise<void> {
    this.#record.requestEnd(reason);
    this.#resolveShown(false);
    this.#timeouts?.stop();
    const host = await this.host.started;
    if (!host) return;
    await host.stop(viewerReason(reason));
    await this.ended;
  }

  /**
   * Warns the viewers, and ends the session when the last viewer has left, or after `milliseconds`. Without
   * viewers, ends the session at once. Resolves when the session has ended.
   */
  async drain(milliseconds: number, reason: EndReason = 'ended'): Promise<void> {
    if (this.#viewers > 0 && milliseconds > 0 && !this.ending) {
      this.#onCloseWarning('shutdown', milliseconds);
      const deserted = new Promise<void>((resolve) => (this.#whenDeserted = resolve));
      const over = Promise.race([this.ended, deserted]);
      await withTimeout(over, milliseconds, () => undefined, this.clock);
    }
    await this.end(reason);
  }

  /** Reason of the first request to end this session. The record contains a reason only after the end. */
  get requestedEnd(): EndReason | undefined {
    return this.#record.requestedEnd;
  }

  onStarted(timings: Record<string, number>): void {
    if (this.#state !== 'starting') return;
    this.#state = 'running';
    this.#resolveShown(true);
    this.#startTimer?.cancel();
    this.#pendingViewers.renew();
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
    this.#pendingViewers.settled(userId);
  }

  onActivity(): void {
    this.#lastInput = this.clock.date().toISOString();
    this.#timeouts?.active();
  }

  /** Hand-offs that wait for a person, oldest first. */
  get openHandoffs(): readonly HandoffState[] {
    return [...this.#handoffs.values()];
  }

  onHandoff(state: HandoffState): void {
    if (state.outcome === null) this.#handoffs.set(state.id, state);
    else this.#handoffs.delete(state.id);
    this.observer.onHandoff(this, state);
  }

  onAgentUse(use: AgentUse): void {
    if (this.#state !== 'ended') this.observer.onAgentUse(this, use);
  }

  onStandby(standby: boolean): void {
    if (this.#state !== 'ended') this.#standby = standby;
  }

  onAuthorize(request: AuthorizationRequest): Promise<AuthorizationAnswer> {
    return this.observer.onAuthorize(this, request);
  }

  onEnded(reason: ServerDisconnectReason, message: string): void {
    if (this.#state === 'ended') return;
    this.#diedAtStart = this.#state === 'starting' && this.requestedEnd === undefined;
    this.#state = 'ended';
    this.#resolveShown(false);
    this.#viewers = 0;
    this.#standby = false;
    this.#startTimer?.cancel();
    this.#timeouts?.stop();
    this.#pendingViewers.close();
    this.tokens.close();
    this.#record.end(reason, message);
    this.observer.onEnded(this);
    this.#resolveEnded();
  }

  #onCloseWarning(kind: CloseKind, delay: number | null): void {
    this.observer.onCloseWarning(this, kind, delay);
    this.host.tell((host) => host.closeWarning(kind, delay));
  }

  #recordTokens(): void {
    this.#record.keepTokens(this.tokens.records);
  }

  #onTimeout(kind: TimeoutKind): void {
    this.observer.onTimeout(this, kind);
    this.end(kind).catch(() => undefined);
  }
}
