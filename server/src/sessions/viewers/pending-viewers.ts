import type { Clock, Timer } from '../../platform/time/clock.js';

/**
 * Time in milliseconds for which the session expects a connection after a browser has loaded the viewer page
 * or the embed module. This is enough for a slow machine and a slow network.
 */
const PAGE_MS = 10_000;
/**
 * Time in milliseconds for which the session expects that an accepted connection becomes a viewer. The host's
 * timeouts for the viewer's first message and for the authorization endpoint are shorter.
 */
const CONNECTION_MS = 30_000;
/**
 * Maximum number of tracked pending viewers. More are not necessary, because `onChange` only reports whether
 * there are any.
 */
const MAX_PENDING = 64;

/**
 * Tracks viewers that are about to join a session. A viewer is pending after a browser has loaded the viewer
 * page or the embed module, or after the service has accepted a connection.
 */
export class PendingViewers {
  readonly #waiting = new Map<string, { ms: number; timer: Timer }>();

  /**
   * @param onChange called with true when the first viewer becomes pending, and with false when none is
   *   pending any more
   */
  constructor(
    private readonly clock: Clock,
    private readonly onChange: (any: boolean) => void,
  ) {}

  /**
   * Records that a browser at this IP address loaded the viewer page or the embed module. A viewer usually
   * connects from this address soon after.
   */
  pageLoaded(address: string): void {
    this.#wait(pageAt(address), PAGE_MS);
  }

  /** Records that a connection from this IP address was accepted. */
  connecting(userId: string, address: string): void {
    this.#wait(userId, CONNECTION_MS);
    this.#forget(pageAt(address));
  }

  /** Records that a connection has become a viewer, or is closed. */
  settled(userId: string): void {
    this.#forget(userId);
  }

  /**
   * Restarts the timers of all pending viewers. Called when the session first shows its page, because viewers
   * could see nothing before that.
   */
  renew(): void {
    for (const [who, { ms }] of [...this.#waiting]) this.#wait(who, ms);
  }

  close(): void {
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }

  #wait(who: string, ms: number): void {
    const known = this.#waiting.get(who);
    if (!known && this.#waiting.size >= MAX_PENDING) return;
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
