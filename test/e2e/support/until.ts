import { inspect } from 'node:util';
import { machineSlowness, slownessNow } from '../../../scripts/lib/machine-speed.mjs';

/**
 * The pause between two checks: short at first, then a tenth of the elapsed time, because a check costs
 * processor time.
 */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;
/**
 * The default time limit. It is long because a busy machine is slow; a condition that holds is noticed at
 * once anyway.
 */
const LIMIT_MS = 30_000;

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/**
 * Checks again and again until the answer is truthy, and returns it. After the limit it rejects with the last
 * answer. The limit is in milliseconds of a usual machine: a slower or busier one has more of them.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  usualLimit: number = LIMIT_MS,
): Promise<Truthy<T>> {
  let limit = usualLimit * machineSlowness();
  const start = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen as Truthy<T>;
    const passed = performance.now() - start;
    if (passed > limit) limit = Math.max(limit, usualLimit * slownessNow());
    if (passed > limit) {
      throw new Error(
        `Within ${limit / 1000} s it did not happen that ${what}; last seen: ${inspect(seen)}.`,
      );
    }
    const pause = Math.min(Math.max(passed / 10, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
