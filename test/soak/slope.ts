/** A figure at a time. */
export interface Sample {
  /** Milliseconds. */
  at: number;
  value: number;
}

/** How a figure changes, by linear regression. */
export interface Slope {
  /** Units an hour. */
  perHour: number;
  /** The true slope lies within this of {@link perHour} with 95 %; infinite for fewer than three samples. */
  margin: number;
}

const HOUR_MS = 3_600_000;
/** Standard errors in 95 % of a normal distribution; with few samples it is a little too small. */
const NORMAL_95 = 1.96;

/** The least squares line through the samples. */
export function slopeOf(samples: readonly Sample[]): Slope {
  const count = samples.length;
  if (count < 3) return { perHour: 0, margin: Infinity };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [x, y] = [samples.map(({ at }) => at / HOUR_MS), samples.map(({ value }) => value)];
  const [meanX, meanY] = [mean(x), mean(y)];
  const spread = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  const perHour =
    x.reduce((sum, value, index) => sum + (value - meanX) * ((y[index] ?? 0) - meanY), 0) / spread;
  const rest = x.reduce(
    (sum, value, index) => sum + ((y[index] ?? 0) - meanY - perHour * (value - meanX)) ** 2,
    0,
  );
  return { perHour, margin: NORMAL_95 * Math.sqrt(rest / (count - 2) / spread) };
}

/** `proved`: surely below the limit. `leak`: surely above. `unsure`: too few samples, or too short a time, to tell. */
export function judgeSlope({ perHour, margin }: Slope, limit: number): 'proved' | 'leak' | 'unsure' {
  if (perHour + margin < limit) return 'proved';
  return perHour - margin > limit ? 'leak' : 'unsure';
}
