/** A figure at a place, such as a time. */
export interface Sample {
  at: number;
  value: number;
}

/** Trend of a figure, by linear regression. */
export interface Slope {
  /** Of the value, for each unit of the place. */
  slope: number;
  /** The true slope lies within this of {@link slope} with 95 %; infinite for fewer than three samples. */
  margin: number;
}

/** Standard errors in 95 % of a normal distribution. */
const NORMAL_95 = 1.96;

/**
 * The least squares line through the samples. What is above the line at one sample is likely to be so at the
 * next, as memory is, and then many samples tell no more than a few: the margin counts them as that many
 * fewer.
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

/** As many standard errors of so few samples; Abramowitz and Stegun, 26.7.5. */
function student95(freedom: number): number {
  const z = NORMAL_95;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}

/**
 * `proved`: surely below the limit. `leak`: surely above. `unsure`: too few samples, or too short a time, to
 * tell.
 */
export function judgeSlope({ slope, margin }: Slope, limit: number): 'proved' | 'leak' | 'unsure' {
  if (slope + margin < limit) return 'proved';
  return slope - margin > limit ? 'leak' : 'unsure';
}
