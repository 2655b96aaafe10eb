import { NotConnectedError } from './errors.js';
import type { Timers } from './timers.js';

/** Milliseconds between two pings. */
export const HEARTBEAT_INTERVAL = 2000;
/** A ping that stays unanswered for so many milliseconds, with nothing else heard meanwhile, means a dead link. */
export const DEAD_AFTER = 6000;

/** Where a heartbeat sends and reports to. */
export interface HeartbeatListener {
  sendPing(id: number, active: boolean): void;
  /** A measured round trip, milliseconds. */
  onRoundTrip(milliseconds: number): void;
  /** The link is dead although nobody closed it: a cable was pulled, a laptop slept. */
  onDead(): void;
}

interface Ping {
  sentAt: number;
  resolve?: (milliseconds: number) => void;
  reject?: (error: Error) => void;
}

/** Measures the round trip of one connection and notices when the other side has gone silent. */
export class Heartbeat {
  readonly #timers: Timers;
  readonly #listener: HeartbeatListener;
  readonly #pings = new Map<number, Ping>();
  #lastId = 0;
  #lastHeard: number;
  #lastTick: number;
  #timer: unknown;

  constructor(timers: Timers, listener: HeartbeatListener) {
    this.#timers = timers;
    this.#listener = listener;
    this.#lastHeard = this.#lastTick = timers.now();
    this.#tick();
  }

  /** Anything at all came in. */
  heard(): void {
    this.#lastHeard = this.#timers.now();
  }

  /** The answer to the ping of this id. */
  pong(id: number): void {
    const ping = this.#pings.get(id);
    if (!ping) return;
    this.#pings.delete(id);
    const roundTrip = this.#timers.now() - ping.sentAt;
    ping.resolve?.(roundTrip);
    this.#listener.onRoundTrip(roundTrip);
  }

  /** Pings on a person's behalf; resolves to the round trip in milliseconds, rejects when the link ends first. */
  ping(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#send({ sentAt: this.#timers.now(), resolve, reject }, true),
    );
  }

  stop(): void {
    this.#timers.clearTimeout(this.#timer);
    for (const ping of this.#pings.values()) {
      ping.reject?.(new NotConnectedError('The connection was lost before the answer came.'));
    }
    this.#pings.clear();
  }

  #send(ping: Ping, active: boolean): void {
    this.#lastId += 1;
    this.#pings.set(this.#lastId, ping);
    this.#listener.sendPing(this.#lastId, active);
  }

  #tick(): void {
    const now = this.#timers.now();
    // A timer that comes late (a busy page, a throttled tab) runs before the messages that waited with it.
    const late = now - this.#lastTick > HEARTBEAT_INTERVAL * 2;
    this.#lastTick = now;
    if (!late && this.#isDead(now)) {
      this.#listener.onDead();
      return;
    }
    this.#send({ sentAt: now }, false);
    this.#timer = this.#timers.setTimeout(() => this.#tick(), HEARTBEAT_INTERVAL);
  }

  #isDead(now: number): boolean {
    const oldest = this.#pings.values().next().value;
    return oldest !== undefined && now - oldest.sentAt >= DEAD_AFTER && now - this.#lastHeard >= DEAD_AFTER;
  }
}
