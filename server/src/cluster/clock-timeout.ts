import type { Clock } from '../platform/time/clock.js';
import { withTimeout } from '../platform/time/timeout.js';

/**
 * Resolves to the result of `work`. Rejects if the work takes longer than `limit` milliseconds. In that case
 * the work continues, but its result is ignored.
 */
export function withClockTimeout<Result>(
  clock: Clock,
  work: Promise<Result>,
  limit: number,
): Promise<Result> {
  const late = () => Promise.reject(new Error(`There was no answer within ${limit} ms.`));
  return withTimeout(work, limit, late, clock);
}
