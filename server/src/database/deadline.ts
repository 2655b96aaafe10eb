import type { Clock, Timer } from '../platform/clock.js';

/**
 * What comes of some work; when it takes longer than `limit` milliseconds, `late` is called once and makes the error that is thrown
 * instead. The work is not waited for then, and what becomes of it is nobody's business. A process that was itself
 * stopped or starved first looks at what has arrived meanwhile, so that its own slowness is not held against the other side.
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
    // Timers come before what arrived in an event loop's turn, and callbacks of what arrived may need a turn more.
    timer = clock.setTimeout(() => setImmediate(() => setImmediate(give)), limit);
  });
  return Promise.race([work, missed]).finally(() => {
    over = true;
    timer?.cancel();
  });
}
