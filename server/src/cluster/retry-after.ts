/** Returns numbers from 0 to below 1, like `Math.random`. */
export type Chance = () => number;

/**
 * Returns whole seconds for `Retry-After`: at least the remaining wait, and up to half as much again. The
 * random part keeps clients that were refused together from coming back together.
 *
 * @param wait milliseconds
 */
export function retryAfter(wait: number, chance: Chance): number {
  return Math.max(1, Math.ceil((wait / 1000) * (1 + chance() / 2)));
}
