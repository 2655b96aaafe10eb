import { Deferred } from '../deferred.js';
import { NotConnectedError } from '../errors.js';
import type { Timers } from '../timers.js';

/** Time between two pings, in milliseconds. It is short, so that the displayed round trip is current. */
const HEARTBEAT_INTERVAL_MS = 2000;
/**
 * A link is dead if the oldest ping has been unanswered for this time, and no message has arrived for this
 * time. At that moment, at least three pings are unanswered.
 */
const SILENCE_TIMEOUT_MS = 3 * HEARTBEAT_INTERVAL_MS;

/** Receives the pings to send and the results. */
export interface HeartbeatListener {
  sendPing(id: number, active: boolean): void;
  /** Called with a measured round trip in milliseconds. */
  onRoundTrip(milliseconds: number): void;
  /** Called with the milliseconds for which the oldest ping is unanswered. */
  onOverdue(milliseconds: number): void;
  /**
   * Called when the link is dead without a close, for example after a pulled cable or a sleep of the machine.
   */
  onDead(): void;
}

interface Ping {
  sentAt: number;
  /** Set for a ping of {@link Heartbeat.ping}, whose caller waits for the answer. */
  answer?: Deferred<number>;
}

/** Measures the round trip of one connection and detects a silent peer. */
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

  /** Call this for every incoming message. */
  heard(): void {
    this.#lastHeard = this.timers.now();
  }

  /** Handles the answer to the ping with this id. */
  pong(id: number): void {
    const ping = this.#pings.get(id);
    if (!ping) return;
    this.#pings.delete(id);
    const roundTrip = this.timers.now() - ping.sentAt;
    ping.answer?.resolve(roundTrip);
    this.listener.onRoundTrip(roundTrip);
  }

  /**
   * Sends a ping that counts as activity of a person. Resolves to the round trip in milliseconds. Rejects if
   * the link ends first.
   */
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
    // In a busy page or a throttled tab, a late timer runs before the messages that have arrived meanwhile.
    // So a late tick does not check if the link is dead.
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
