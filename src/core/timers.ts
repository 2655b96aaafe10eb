/** The clock and timers of the client. Tests replace them. */
export interface Timers {
  /** Returns milliseconds on a monotonic clock. */
  now(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  /** Clears a timer of `setTimeout`. Does nothing if the timer has already run. */
  clearTimeout(timer: unknown): void;
}

/** The real clock. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer),
};
