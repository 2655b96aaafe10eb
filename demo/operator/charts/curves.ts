import type { Moment } from '../nodes/cluster-history.js';
import { percentile } from './percentile.js';

/** Seconds between two points of a curve. */
const STEP_SECONDS = 30;
/**
 * Time window of each point. Rates cover the previous minute. Start times cover the previous five minutes,
 * because one minute may have few.
 */
const RATE_SECONDS = 60;
export const START_TIME_SECONDS = 300;
/** Maximum number of error codes with a curve of their own. The others share one curve. */
const MOST_CODES = 4;
const OTHERS = 'others';

/** Values of one curve, oldest first. Null if a value is missing. */
export interface Curve {
  name: string;
  values: (number | null)[];
}

/** All curves. Every curve has one value per point. */
export interface Curves {
  /** Age of each point in seconds. The last is 0. */
  ages: number[];
  sessions: Curve[];
  starts: Curve[];
  /** Seconds. */
  startTimes: Curve[];
  /** The most frequent error codes. Empty without rejections. */
  rejections: Curve[];
}

/**
 * Returns the curves of an hour.
 *
 * @param interval seconds between two moments
 */
export function curvesOf(moments: readonly Moment[], interval: number): Curves {
  const step = Math.max(1, Math.round(STEP_SECONDS / interval));
  const ends: number[] = [];
  for (let end = moments.length; end > 0; end -= step) ends.unshift(end);
  const windows = (seconds: number) =>
    ends.map((end) => {
      const begin = end - Math.ceil(seconds / interval);
      return { whole: begin >= 0, moments: known(moments.slice(Math.max(0, begin), end)) };
    });
  // The first minute is incomplete and would look like a rise.
  const rates = windows(RATE_SECONDS).map((window) => (window.whole ? window.moments : []));
  const perMinute = (count: (moment: Moment) => number) =>
    rates.map((window) => (window.length > 0 ? sum(window, count) : null));
  const times = windows(START_TIME_SECONDS).map((window) =>
    window.moments.flatMap((each) => each.startTimes),
  );
  const seconds = (part: number) =>
    times.map((window) => {
      const found = percentile(window, part);
      return found === undefined ? null : found / 1_000;
    });
  const newest = windows(STEP_SECONDS).map((window) => window.moments.at(-1));
  return {
    ages: ends.map((end) => (moments.length - end) * interval),
    sessions: [
      { name: 'Sessions', values: newest.map((moment) => moment?.sessions ?? null) },
      { name: 'Viewers', values: newest.map((moment) => moment?.viewers ?? null) },
    ],
    starts: [{ name: 'Starts per minute', values: perMinute((moment) => moment.starts) }],
    startTimes: [
      { name: 'Half within (p50)', values: seconds(0.5) },
      { name: '95 % within (p95)', values: seconds(0.95) },
    ],
    rejections: rejectionsOf(moments, perMinute),
  };
}

function rejectionsOf(
  moments: readonly Moment[],
  perMinute: (count: (moment: Moment) => number) => (number | null)[],
): Curve[] {
  const totals = new Map<string, number>();
  for (const { rejections } of moments)
    for (const [code, count] of rejections) totals.set(code, (totals.get(code) ?? 0) + count);
  const codes = [...totals].sort(([a, many], [b, more]) => more - many || a.localeCompare(b));
  const shown = codes.slice(0, codes.length > MOST_CODES + 1 ? MOST_CODES : codes.length);
  const own = new Set(shown.map(([code]) => code));
  const curves = shown.map(([code]) => ({
    name: code,
    values: perMinute(({ rejections }) => rejections.get(code) ?? 0),
  }));
  if (own.size === totals.size) return curves;
  const others = ({ rejections }: Moment) =>
    sum([...rejections], ([code, count]) => (own.has(code) ? 0 : count));
  return [...curves, { name: OTHERS, values: perMinute(others) }];
}

const known = (moments: Moment[]) => moments.filter(({ nodes }) => nodes > 0);

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
