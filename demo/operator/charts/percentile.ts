/**
 * Returns a percentile of some values by nearest rank. Undefined if there are none.
 *
 * @param part 0.5 for the median
 */
export function percentile(values: readonly number[], part: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
}
