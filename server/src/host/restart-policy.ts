import type { Clock } from '../platform/time/clock.js';

/** If the browser crashes more often than this within the time window, it is not started again. */
const MAX_CRASHES = 3;
const WINDOW_MS = 60_000;

/**
 * Way to restart a browser.
 *
 * - `as-at-first`: as at the session's start.
 * - `with-tabs`: with the tabs that were open.
 * - `with-start-page`: only with the start page.
 * - `never`: not at all, because the browser crashes too often.
 */
export type Restart = 'as-at-first' | 'with-tabs' | 'with-start-page' | 'never';

/** Decides how a browser or a display is restarted after it ended unexpectedly. */
export class RestartPolicy {
  /** Times within the time window at which the browser crashed, and at which it was closed. */
  #crashes: number[] = [];
  #closings: number[] = [];

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Records a crash. */
  crashed(): Restart {
    this.#crashes = this.#withNow(this.#crashes);
    return this.#crashes.length <= MAX_CRASHES ? 'as-at-first' : 'never';
  }

  /**
   * Records that a user or a page has closed the browser. The browser gets its tabs back only after the first
   * closing within the time window. A page that closes the browser on load would otherwise be restored, and
   * would close the browser after each restart.
   */
  closed(): Restart {
    this.#closings = this.#withNow(this.#closings);
    return this.#closings.length === 1 ? 'with-tabs' : 'with-start-page';
  }

  #withNow(times: readonly number[]): number[] {
    const now = this.clock.now();
    return [...times.filter((time) => now - time < WINDOW_MS), now];
  }
}
