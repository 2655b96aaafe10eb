import type { Clock } from '../platform/clock.js';

/** A browser that crashes more often than this within the window is not started again. */
const MAX_CRASHES = 3;
const WINDOW_MS = 60_000;

/** How a browser is started again: as at the session's start, with its tabs, or with its start page alone. `never`: it crashes too often. */
export type Restart = 'as-at-first' | 'with-tabs' | 'with-start-page' | 'never';

/** Says how a browser, or a display, that ended by itself is started again. */
export class RestartPolicy {
  /** When something crashed, and when the browser was closed; within the window. */
  #crashes: number[] = [];
  #closings: number[] = [];

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Something has crashed now. */
  crashed(): Restart {
    this.#crashes = this.#withNow(this.#crashes);
    return this.#crashes.length <= MAX_CRASHES ? 'as-at-first' : 'never';
  }

  /** Somebody, or a page, has closed the browser now. A page that does so as soon as it is loaded must not come back for ever. */
  closed(): Restart {
    this.#closings = this.#withNow(this.#closings);
    return this.#closings.length === 1 ? 'with-tabs' : 'with-start-page';
  }

  #withNow(times: readonly number[]): number[] {
    const now = this.clock.now();
    return [...times.filter((time) => now - time < WINDOW_MS), now];
  }
}
