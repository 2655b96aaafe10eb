import type { Clock, Timer } from '../platform/time/clock.js';
import { afterArrivals } from '../platform/time/turns.js';

/**
 * Resolves to the result of `work`. If the work takes longer than `limit` milliseconds, calls `late` and
 * rejects with the error that `late` returns. The work then continues, but its result is ignored. At the
 * deadline, the process first handles the data that has already arrived. So an answer that arrived in time
 * counts, even if this process was too busy to handle it earlier.
 */
export function beforeDeadline<Result>(
  work: Promise<Result>,
  { clock, limit }: { clock: Clock; limit: number },
  late: () => Error,
): Promise<Result> {
  let over = false;
  let timer: Timer | undefined;
  const missed = new Promise<never>((_resolve, reject) => {
    const give = () => {
      if (!over) reject(late());
    };
    timer = clock.setTimeout(() => afterArrivals(give), limit);
  });
  return Promise.race([work, missed]).finally(() => {
    over = true;
    timer?.cancel();
  });
}
