/** Returns numbers from 0 to below 1, like `Math.random`. */
export type Chance = () => number;

/**
 * Returns whole seconds for `Retry-After`. The result is the remaining wait plus up to half of it. The random
 * part prevents all refused clients from coming back at the same moment.
 *
 * @param wait milliseconds
 */
export function retryAfter(wait: number, chance: Chance): number {
  return Math.max(1, Math.ceil((wait / 1000) * (1 + chance() / 2)));
}
