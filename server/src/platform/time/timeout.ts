import { waitingTimers, type Clock, type Timer } from './clock.js';

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
  clock: Pick<Clock, 'setTimeout'> = waitingTimers,
): Promise<Result | Late> {
  let timer: Timer | undefined;
  const over = new Promise<Late>((resolve) => {
    timer = clock.setTimeout(() => resolve(late()), limit);
  });
  return Promise.race([work, over]).finally(() => timer?.cancel());
}
