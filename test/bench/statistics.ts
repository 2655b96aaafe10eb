/**
 * The value below which the share `p` (0..1) of the values lies, by linear interpolation; NaN for no values.
 */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * p;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return NaN;
  return below + (above - below) * (position - Math.floor(position));
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Resolves after so many milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Polls until the answer is true. Rejects with the given message on timeout. */
export async function until(
  condition: () => Promise<boolean>,
  sentence: string,
  timeout = 20_000,
): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${sentence} (waited ${timeout / 1000} s)`);
    await pause(5);
  }
}
