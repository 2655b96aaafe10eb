import type { Moment } from './cluster-history.js';
import { percentile } from './percentile.js';

/** Seconds between two points of a curve. */
const STEP_SECONDS = 30;
/** Rates are those of the minute before, start times those of the five minutes before: in one minute there may be few. */
const RATE_SECONDS = 60;
export const START_TIME_SECONDS = 300;
/** So many codes have a curve of their own; the rest is put together. */
const MOST_CODES = 4;
const OTHERS = 'others';

/** The values of one thing, oldest first; null where it is not known. */
export interface Curve {
  name: string;
  values: (number | null)[];
}

/** All that is drawn. Every curve has as many values as there are points. */
export interface Curves {
  /** Seconds before now, of each point; the last is 0. */
  ages: number[];
  sessions: Curve[];
  starts: Curve[];
  /** In seconds. */
  startTimes: Curve[];
  /** The most frequent codes; none without rejections. */
  rejections: Curve[];
}

/**
 * The curves of an hour.
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
  // The first minute is not known whole, and would be drawn as a rise.
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
