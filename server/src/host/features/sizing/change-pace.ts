import { systemClock, type Clock } from '../../../platform/time/clock.js';

/**
 * Pauses before changes of the screen that follow each other quickly: before the second change, before the
 * third, and so on. The last pause applies to all later changes.
 */
export type Pauses = readonly [number, ...number[]];

/** Pauses between changes of a session's screen by all users together. Milliseconds. */
export const SESSION_PAUSES: Pauses = [250, 500, 1_000, 2_000];
/** Pauses between changes of one user. Milliseconds. */
export const USER_PAUSES: Pauses = [500, 1_000, 2_000, 2_500];
/** For each period of this length without a change, the next pause becomes one step shorter. Milliseconds. */
const CALM_MS = 3_000;

/**
 * Increases the pauses between changes in a row, because each change interrupts the picture of all viewers
 * for a moment.
 */
export class ChangePace {
  /** Number of changes in a row. */
  #row = 0;
  #last = -Infinity;

  constructor(
    private readonly pauses: Pauses,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  /** Milliseconds until the next change may start. 0 if it may start now. */
  get wait(): number {
    const row = this.#rowNow();
    if (row === 0) return 0;
    const pause = this.pauses[Math.min(row, this.pauses.length) - 1] ?? this.pauses[0];
    return Math.max(0, this.#last + pause - this.clock.now());
  }

  /** Counts a change that starts now. */
  changed(): void {
    this.#row = Math.min(this.#rowNow() + 1, this.pauses.length);
    this.#last = this.clock.now();
  }

  #rowNow(): number {
    return Math.max(0, this.#row - Math.floor((this.clock.now() - this.#last) / CALM_MS));
  }
}
