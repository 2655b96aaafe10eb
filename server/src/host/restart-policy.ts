import type { Clock } from '../platform/time/clock.js';

/** Time window for closings, and for crashes that follow each other at once. */
const WINDOW_MS = 60_000;
/**
 * If the browser crashes more often than `most` within one of these times, it is not started again. The
 * second limit is for a page that hangs the browser. The host notices a hang after about 20 seconds, so such
 * crashes never reach the first limit.
 */
const LIMITS = [
  { most: 3, withinMs: WINDOW_MS },
  { most: 8, withinMs: 600_000 },
] as const;
/**
 * Time in milliseconds within which a second hang has the same cause: the page that the browser opens at each
 * start. It covers the 12 seconds until the host notices the hang, and the start of a browser on a busy
 * machine. A page can hang Chromium, for example if it sets an address of 100,000 characters in a loop.
 * Chromium spends 40 ms or more on each, and has no limit for the queue.
 */
const HANG_WINDOW_MS = 120_000;
const LONGEST_MS = Math.max(...LIMITS.map(({ withinMs }) => withinMs));

/**
 * Way to restart a browser.
 *
 * - `as-at-first`: as at the session's start.
 * - `with-tabs`: with the tabs that were open.
 * - `with-start-page`: only with the start page.
 * - `with-blank-page`: only with an empty page.
 * - `never`: not at all, because the browser crashes too often.
 */
export type Restart = 'as-at-first' | 'with-tabs' | 'with-start-page' | 'with-blank-page' | 'never';

/** Decides how a browser or a display is restarted after it ended unexpectedly. */
export class RestartPolicy {
  /** Times within the time windows at which the browser crashed, and at which it was closed. */
  #crashes: number[] = [];
  #closings: number[] = [];
  /** Time of the last crash that was a hang. */
  #hung = -Infinity;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /**
   * Records a crash. After a second hang, the browser gets an empty page instead of the page that may be the
   * cause. Otherwise it would hang after each restart, and the session would end although a user could go on
   * with another page.
   *
   * @param hung true if the browser was ended because it did not answer
   */
  crashed(hung = false): Restart {
    this.#crashes = this.#withNow(this.#crashes, LONGEST_MS);
    const fits = LIMITS.every(({ most, withinMs }) => this.#since(this.#crashes, withinMs).length <= most);
    if (!fits) return 'never';
    const isSecond = hung && this.clock.now() - this.#hung < HANG_WINDOW_MS;
    if (hung) this.#hung = this.clock.now();
    return isSecond ? 'with-blank-page' : 'as-at-first';
  }

  /**
   * Records that a user or a page has closed the browser. The browser gets its tabs back only after the first
   * closing within the time window. A page that closes the browser on load would otherwise be restored, and
   * would close the browser after each restart.
   */
  closed(): Restart {
    this.#closings = this.#withNow(this.#closings, WINDOW_MS);
    return this.#closings.length === 1 ? 'with-tabs' : 'with-start-page';
  }

  #withNow(times: readonly number[], withinMs: number): number[] {
    return [...this.#since(times, withinMs), this.clock.now()];
  }

  #since(times: readonly number[], withinMs: number): number[] {
    const now = this.clock.now();
    return times.filter((time) => now - time < withinMs);
  }
}
