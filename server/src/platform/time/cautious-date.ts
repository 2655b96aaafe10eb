import type { Clock } from './clock.js';

/** Longest step of the calendar that is believed at once, in milliseconds. */
const SMALL_STEP_MS = 3_600_000;
/** Time in milliseconds after which a longer step is believed. */
export const DOUBT_MS = 86_400_000;

/**
 * Calendar time for the removal of old data. If the machine's clock is set ahead by more than an hour, this
 * calendar follows only after a day. So a wrong clock removes nothing if it is corrected within this day. A
 * step back is believed at once, because it only delays removals.
 */
export class CautiousDate {
  /** Calendar time that was believed at the last call, and the time of that call on the monotonic clock. */
  #believed: number;
  #at: number;
  /** Time on the monotonic clock since which the machine's clock is far ahead. */
  #aheadSince: number | undefined;

  constructor(private readonly clock: Pick<Clock, 'now' | 'date'>) {
    this.#believed = clock.date().getTime();
    this.#at = clock.now();
  }

  /** Call it more often than once a day, so that a step that was taken back does not count as long. */
  date(): Date {
    const now = this.clock.now();
    const shown = this.clock.date().getTime();
    const expected = this.#believed + now - this.#at;
    const isAhead = shown - expected > SMALL_STEP_MS;
    this.#aheadSince = isAhead ? (this.#aheadSince ?? now) : undefined;
    const isDoubted = this.#aheadSince !== undefined && now - this.#aheadSince < DOUBT_MS;
    this.#believed = isDoubted ? expected : shown;
    this.#at = now;
    return new Date(this.#believed);
  }
}
