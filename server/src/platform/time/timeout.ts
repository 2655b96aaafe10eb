import type { Clock, Timer } from './clock.js';

/** The machine's timers. A pending timer keeps the process alive, because a caller waits for its end. */
const TIMERS: Pick<Clock, 'setTimeout'> = {
  setTimeout(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};

/**
 * Returns the result of some work, or `late()` if the work takes longer than the limit. The work then
 * continues.
 *
 * @param limit milliseconds
 */
export function withTimeout<Result, Late>(
  work: Promise<Result>,
  limit: number,
  late: () => Late | PromiseLike<Late>,
  clock: Pick<Clock, 'setTimeout'> = TIMERS,
): Promise<Result | Late> {
  let timer: Timer | undefined;
  const over = new Promise<Late>((resolve) => {
    timer = clock.setTimeout(() => resolve(late()), limit);
  });
  return Promise.race([work, over]).finally(() => timer?.cancel());
}
