import type { Socket } from 'node:net';
import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { ViewerHandover } from '../host-protocol.js';
import type { Clock, Host, HostListener, HostPool, Timer } from './ports.js';
import type { SessionRecord, SessionState, SessionStatus } from './session-record.js';

/** A host that shows no page within this time, in milliseconds, is given up. */
export const START_LIMIT = 60_000;

/** What a session tells its owner. */
export interface SessionObserver {
  onStarted(session: Session, timings: Record<string, number>): void;
  /** Once, after the last sign of life. */
  onEnded(session: Session): void;
}

/** One live session: its state, and the way to its host. */
export class Session implements HostListener {
  readonly id: string;
  /** Resolves when the session is over and nothing of it runs any more. */
  readonly ended: Promise<void>;

  readonly #clock: Clock;
  readonly #observer: SessionObserver;
  #record: SessionRecord;
  #state: SessionState = 'starting';
  #viewers = 0;
  #lastInput: string | null = null;
  #host: Promise<Host> | undefined;
  #startTimer: Timer | undefined;
  #resolveEnded: () => void = () => undefined;

  constructor(record: SessionRecord, clock: Clock, observer: SessionObserver) {
    this.id = record.id;
    this.#record = record;
    this.#clock = clock;
    this.#observer = observer;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
  }

  get status(): SessionStatus {
    return { record: this.#record, state: this.#state, viewers: this.#viewers, lastInput: this.#lastInput };
  }

  /** Resolves once a host has accepted the session; the start page may still be on its way. Rejects as the pool does. */
  async start(pool: HostPool): Promise<void> {
    this.#host = pool.start({ sessionId: this.id, ...this.#record.settings }, this);
    const host = await this.#host;
    if (this.#state !== 'starting') return;
    this.#startTimer = this.#clock.setTimeout(() => void host.stop('crashed'), START_LIMIT);
  }

  /** Gives a viewer to the host, which may still be starting. */
  async attach(viewer: ViewerHandover, socket: Socket): Promise<void> {
    const host = await this.#host?.catch(() => undefined);
    if (!host || this.#state === 'ended') socket.destroy();
    else host.attach(viewer, socket);
  }

  /** Ends the session; resolves when nothing of it runs any more. Safe to call twice. */
  async end(reason: ServerDisconnectReason): Promise<void> {
    const host = await this.#host;
    if (!host) return;
    await host.stop(reason);
    await this.ended;
  }

  onStarted(timings: Record<string, number>): void {
    if (this.#state !== 'starting') return;
    this.#state = 'running';
    this.#startTimer?.cancel();
    this.#observer.onStarted(this, timings);
  }

  onViewers(count: number): void {
    this.#viewers = count;
  }

  onActivity(): void {
    this.#lastInput = this.#clock.date().toISOString();
  }

  onEnded(reason: ServerDisconnectReason, message: string): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#viewers = 0;
    this.#startTimer?.cancel();
    this.#record = { ...this.#record, ended: { at: this.#clock.date().toISOString(), reason, message } };
    this.#observer.onEnded(this);
    this.#resolveEnded();
  }
}
