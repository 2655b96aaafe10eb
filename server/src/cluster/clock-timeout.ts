import type { Clock, Timer } from '../platform/time/clock.js';

/**
 * Returns the result of some work. Rejects if it takes longer than `limit` milliseconds of the clock. The
 * work itself continues.
 */
export function withClockTimeout<Result>(
  clock: Clock,
  work: Promise<Result>,
  limit: number,
): Promise<Result> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = clock.setTimeout(() => reject(new Error(`There was no answer within ${limit} ms.`)), limit);
  });
  return Promise.race([work, late]).finally(() => timer?.cancel());
}
