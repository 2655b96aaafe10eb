import type { Clock, Timer } from '../platform/time/clock.js';

/**
 * Resolves to the result of `work`. Rejects if the work takes longer than `limit` milliseconds. In that case
 * the work continues, but its result is ignored.
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
