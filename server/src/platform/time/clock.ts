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

/**
 * Returns the date of an end that happens now. The machine's clock may have been set back since the start. So
 * the date is at least the start plus the measured duration.
 *
 * @param start RFC 3339
 */
export function endDate(clock: Pick<Clock, 'date'>, start: string, seconds: number): string {
  return new Date(Math.max(clock.date().getTime(), Date.parse(start) + seconds * 1000)).toISOString();
}
