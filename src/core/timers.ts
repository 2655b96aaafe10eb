/** Time as the client sees it, so that tests can turn it by hand. */
export interface Timers {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  /** Takes what `setTimeout` gave; harmless when that has run already. */
  clearTimeout(timer: unknown): void;
}

/** The real clock. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer),
};
