import type { Clock, Timer } from '../platform/clock.js';

/** What comes of some work, or rejects when it takes longer than `limit` milliseconds of the clock; nobody waits for the work then. */
export function inClockTime<Result>(clock: Clock, work: Promise<Result>, limit: number): Promise<Result> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = clock.setTimeout(() => reject(new Error(`There was no answer within ${limit} ms.`)), limit);
  });
  return Promise.race([work, late]).finally(() => timer?.cancel());
}
