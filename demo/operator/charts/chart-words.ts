import type { Curve } from './curves.js';

/** Formats an age, for example `now` and `12 min ago`. */
export function ageText(seconds: number): string {
  if (seconds < 30) return 'now';
  const minutes = seconds / 60;
  return `${Number.isInteger(minutes) ? minutes : minutes.toFixed(1)} min ago`;
}

/** Describes each curve of a chart in a sentence: its latest value and its range. */
export function summaryText(
  { title, show }: { title: string; show: (value: number) => string },
  curves: readonly Curve[],
): string {
  const sentences = curves.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return `${name}: nothing known.`;
    const newest = values.at(-1) ?? null;
    const now = newest === null ? 'unknown now' : `${show(newest)} now`;
    return `${name}: ${now}, between ${show(Math.min(...known))} and ${show(Math.max(...known))}.`;
  });
  return `${title} in the last hour. ${sentences.join(' ')}`;
}
