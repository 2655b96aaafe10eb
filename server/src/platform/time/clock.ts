/** Source of time. Tests use a clock that they set by hand. */
export interface Clock {
  /** Milliseconds on the monotonic clock. */
  now(): number;
  /** Calendar time, for records only. */
  date(): Date;
  setTimeout(run: () => void, milliseconds: number): Timer;
}

/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void;
}

/** The machine's own clocks. Timers are unreferenced, so a pending timer does not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  setTimeout(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The machine's timers. A pending timer keeps the process alive, because a caller waits for its end. */
export const waitingTimers: Pick<Clock, 'setTimeout'> = {
  setTimeout(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Resolves after this many milliseconds. */
export function pause(clock: Pick<Clock, 'setTimeout'>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, milliseconds));
}
