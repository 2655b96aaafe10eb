/**
 * Reports the time of each test file of a run: all of them in a JSON report, the slowest ones on the
 * terminal.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/** Number of files that the terminal lists. */
const SLOWEST = 20;
/** Path of the report in the repository. */
const REPORT = '.build/test-times.json';

/** Returns the times with the slowest file first. */
const sorted = (times) => times.toSorted((one, other) => other.seconds - one.seconds);

/** Writes `[{ group, file, seconds }]`, the slowest file first. */
export function writeTimes(times) {
  mkdirSync(inRoot('.build'), { recursive: true });
  writeFileSync(inRoot(REPORT), `${JSON.stringify(sorted(times), undefined, 1)}\n`);
}

/** Returns the lines that name the slowest files. Returns none if no file ran. */
export function slowestLines(times) {
  if (times.length === 0) return [];
  const rows = sorted(times).slice(0, SLOWEST);
  const lines = rows.map(
    ({ group, file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${group}  ${file}`,
  );
  return ['', `Slowest files (all of them: ${REPORT})`, ...lines];
}
