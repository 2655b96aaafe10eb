/** Numbers from 0 to below 1, as of `Math.random`. */
export type Chance = () => number;

/**
 * Whole seconds for `Retry-After`: at least what is left to wait, and up to half as much again. Those who were refused together do not come
 * back together.
 *
 * @param wait milliseconds
 */
export function retryAfter(wait: number, chance: Chance): number {
  return Math.max(1, Math.ceil((wait / 1000) * (1 + chance() / 2)));
}
