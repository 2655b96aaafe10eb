import type { Clock, Timer } from '../platform/clock.js';

/** A page that has what shows the session connects within this, also on a slow machine behind a slow network. */
const PAGE_MS = 10_000;
/** Longer than a host waits for a hello and then for the customer's answer about a user. */
const CONNECTION_MS = 30_000;
/** Of those, more tell nothing new. */
const MAX_ARRIVALS = 64;

/** Who is on the way into a session: what shows it was given to a page, or a connection was accepted, and nobody has come of it yet. */
export class Arrivals {
  readonly #waiting = new Map<string, { ms: number; timer: Timer }>();

  /** @param onChange told true when somebody is on the way, and false when nobody is any more */
  constructor(
    private readonly clock: Clock,
    private readonly onChange: (any: boolean) => void,
  ) {}

  /** A page at this address has loaded the viewer or its module; its connection is to follow. */
  pageGiven(address: string): void {
    this.#wait(pageAt(address), PAGE_MS);
  }

  /** A connection from this address was accepted. */
  connecting(userId: string, address: string): void {
    this.#wait(userId, CONNECTION_MS);
    this.#forget(pageAt(address));
  }

  /** A connection has become a viewer, or is over. */
  settled(userId: string): void {
    this.#forget(userId);
  }

  /** There is something to see only now: those who waited for it have all their time from here. */
  renew(): void {
    for (const [who, { ms }] of [...this.#waiting]) this.#wait(who, ms);
  }

  close(): void {
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }

  #wait(who: string, ms: number): void {
    const known = this.#waiting.get(who);
    if (!known && this.#waiting.size >= MAX_ARRIVALS) return;
    known?.timer.cancel();
    this.#waiting.set(who, { ms, timer: this.clock.setTimeout(() => this.#forget(who), ms) });
    if (this.#waiting.size === 1 && !known) this.onChange(true);
  }

  #forget(who: string): void {
    const waiting = this.#waiting.get(who);
    if (!waiting) return;
    waiting.timer.cancel();
    this.#waiting.delete(who);
    if (this.#waiting.size === 0) this.onChange(false);
  }
}

function pageAt(address: string): string {
  return `page at ${address}`;
}
