import type { Timers } from '../timers.js';

/**
 * Pauses before the second, third, … of several messages in a row. The last pause applies to all later
 * messages. Milliseconds.
 */
const PAUSES_MS = [200, 400, 800, 1_500];
/** After each period of this length without a message, the next pause is one step shorter. Milliseconds. */
const CALM_MS = 3_000;

/** A message that requests a size: a call of `resize`, or the box of the page. */
type Kind = 'resize' | 'box';

/**
 * Limits the rate of messages that request a size of the screen. A session disconnects a client that sends
 * too many of these messages in a row. If several messages of a kind wait, only the newest is sent.
 */
export class SizePace {
  readonly #waiting = new Map<Kind, () => void>();
  #timer: unknown;
  /** Number of messages in a row, which determines the next pause. */
  #row = 0;
  #last = -Infinity;

  constructor(private readonly timers: Timers) {}

  /** Sends a message now or later. Replaces a waiting message of this kind. */
  send(kind: Kind, send: () => void): void {
    this.#waiting.delete(kind);
    this.#waiting.set(kind, send);
    if (this.#timer === undefined) this.#next();
  }

  /** Counts a message that was sent without {@link send}. */
  sent(): void {
    this.#row = Math.min(this.#rowNow() + 1, PAUSES_MS.length);
    this.#last = this.timers.now();
  }

  /** Drops the waiting message of this kind. */
  drop(kind: Kind): void {
    this.#waiting.delete(kind);
    if (this.#waiting.size === 0) this.clear();
  }

  /** Drops all waiting messages. */
  clear(): void {
    this.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #next(): void {
    const [first] = this.#waiting;
    if (!first) return;
    const wait = this.#wait();
    if (wait > 0) {
      this.#timer = this.timers.setTimeout(() => {
        this.#timer = undefined;
        this.#next();
      }, wait);
      return;
    }
    const [kind, send] = first;
    this.#waiting.delete(kind);
    this.sent();
    send();
    this.#next();
  }

  #wait(): number {
    const pause = PAUSES_MS[this.#rowNow() - 1];
    return pause === undefined ? 0 : Math.max(0, this.#last + pause - this.timers.now());
  }

  #rowNow(): number {
    return Math.max(0, this.#row - Math.floor((this.timers.now() - this.#last) / CALM_MS));
  }
}
