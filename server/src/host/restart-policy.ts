import type { Clock } from '../platform/clock.js';

/** A browser that ends more often than this within the window is not started again. */
const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

/** Says whether a browser, or a display, that ended by itself is started again. */
export class RestartPolicy {
  /** When something ended, within the window. */
  #ends: number[] = [];

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Notes that something has ended now; false when that happens too often. */
  mayRestart(): boolean {
    const now = this.clock.now();
    this.#ends = [...this.#ends.filter((time) => now - time < RESTART_WINDOW_MS), now];
    return this.#ends.length <= MAX_RESTARTS;
  }
}
