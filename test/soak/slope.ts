/** A value at a place, such as a time. */
export interface Sample {
  at: number;
  value: number;
}

/** Trend of a value, by linear regression. */
export interface Slope {
  /** Change of the value for each unit of the place. */
  slope: number;
  /** The true slope differs from {@link slope} by at most this, with 95 %. Infinite below three samples. */
  margin: number;
}

/** Standard errors in 95 % of a normal distribution. */
const NORMAL_95 = 1.96;

/**
 * Returns the least squares line through the samples. Values such as memory change slowly, so neighbouring
 * samples are alike, and many samples prove no more than a few. So the margin counts them as fewer samples.
 */
export function slopeOf(samples: readonly Sample[]): Slope {
  const count = samples.length;
  if (count < 3) return { slope: 0, margin: Infinity };
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const meanAt = sum(samples.map(({ at }) => at)) / count;
  const meanValue = sum(samples.map(({ value }) => value)) / count;
  const spread = sum(samples.map(({ at }) => (at - meanAt) ** 2));
  const slope = sum(samples.map(({ at, value }) => (at - meanAt) * (value - meanValue))) / spread;
  const rests = samples.map(({ at, value }) => value - meanValue - slope * (at - meanAt));
  const squares = sum(rests.map((rest) => rest ** 2));
  if (squares === 0) return { slope, margin: 0 };
  const correlation = sum(rests.slice(1).map((rest, index) => rest * (rests[index] ?? 0))) / squares;
  const kept = Math.max(0, Math.min(correlation, 0.99));
  const freedom = Math.max(1, (count * (1 - kept)) / (1 + kept) - 2);
  return { slope, margin: student95(freedom) * Math.sqrt(squares / freedom / spread) };
}

/** Number of standard errors for few samples; Abramowitz and Stegun, 26.7.5. */
function student95(freedom: number): number {
  const z = NORMAL_95;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}

/**
 * `proved`: certainly below the limit. `leak`: certainly above it. `unsure`: the samples or the time do not
 * suffice.
 */
export function judgeSlope({ slope, margin }: Slope, limit: number): 'proved' | 'leak' | 'unsure' {
  if (slope + margin < limit) return 'proved';
  return slope - margin > limit ? 'leak' : 'unsure';
}
