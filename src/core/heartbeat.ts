import { Deferred } from './deferred.js';
import { NotConnectedError } from './errors.js';
import type { Timers } from './timers.js';

/** Between two pings: often enough that the shown round trip is of now. */
const HEARTBEAT_INTERVAL_MS = 2000;
/** A link is dead when a ping is unanswered for so long and nothing else was heard: three pings may be late, not more. */
const SILENCE_TIMEOUT_MS = 3 * HEARTBEAT_INTERVAL_MS;

/** Where a heartbeat sends and reports to. */
export interface HeartbeatListener {
  sendPing(id: number, active: boolean): void;
  /** A measured round trip, milliseconds. */
  onRoundTrip(milliseconds: number): void;
  /** A ping is unanswered for so many milliseconds. */
  onOverdue(milliseconds: number): void;
  /** The link is dead although nobody closed it: a cable was pulled, a laptop slept. */
  onDead(): void;
}

interface Ping {
  sentAt: number;
  /** Of a ping on a person's behalf. */
  answer?: Deferred<number>;
}

/** Measures the round trip of one connection and notices when the other side has gone silent. */
export class Heartbeat {
  readonly #pings = new Map<number, Ping>();
  #lastId = 0;
  #lastHeard: number;
  #lastTick: number;
  #timer: unknown;

  constructor(
    private readonly timers: Timers,
    private readonly listener: HeartbeatListener,
  ) {
    this.#lastHeard = this.#lastTick = timers.now();
    this.#tick();
  }

  /** Anything at all came in. */
  heard(): void {
    this.#lastHeard = this.timers.now();
  }

  /** The answer to the ping of this id. */
  pong(id: number): void {
    const ping = this.#pings.get(id);
    if (!ping) return;
    this.#pings.delete(id);
    const roundTrip = this.timers.now() - ping.sentAt;
    ping.answer?.resolve(roundTrip);
    this.listener.onRoundTrip(roundTrip);
  }

  /** Pings on a person's behalf; resolves to the round trip in milliseconds, rejects when the link ends first. */
  ping(): Promise<number> {
    const answer = new Deferred<number>();
    this.#send({ sentAt: this.timers.now(), answer }, true);
    return answer.promise;
  }

  stop(): void {
    this.timers.clearTimeout(this.#timer);
    for (const { answer } of this.#pings.values()) {
      answer?.reject(new NotConnectedError('The connection was lost before the answer came.'));
    }
    this.#pings.clear();
  }

  #send(ping: Ping, active: boolean): void {
    this.#lastId += 1;
    this.#pings.set(this.#lastId, ping);
    this.listener.sendPing(this.#lastId, active);
  }

  #tick(): void {
    const now = this.timers.now();
    // A timer that comes late (a busy page, a throttled tab) runs before the messages that waited with it.
    const late = now - this.#lastTick > HEARTBEAT_INTERVAL_MS * 2;
    this.#lastTick = now;
    if (!late && this.#isDead(now)) {
      this.listener.onDead();
      return;
    }
    const oldest = this.#oldest;
    if (!late && oldest) this.listener.onOverdue(now - oldest.sentAt);
    this.#send({ sentAt: now }, false);
    this.#timer = this.timers.setTimeout(() => this.#tick(), HEARTBEAT_INTERVAL_MS);
  }

  get #oldest(): Ping | undefined {
    return this.#pings.values().next().value;
  }

  #isDead(now: number): boolean {
    const oldest = this.#oldest;
    return (
      oldest !== undefined &&
      now - oldest.sentAt >= SILENCE_TIMEOUT_MS &&
      now - this.#lastHeard >= SILENCE_TIMEOUT_MS
    );
  }
}
