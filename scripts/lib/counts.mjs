import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/** Counts without any test. A flaky test passed in a retry, and is in no other count. */
export const NOTHING = { passed: 0, failed: 0, flaky: 0, skipped: 0, notRun: 0, troubles: [], times: [] };
const LISTS = ['troubles', 'times'];

/** Returns the sum of two counts. */
export function add(one, other) {
  const sums = Object.keys(NOTHING).map((what) => [
    what,
    LISTS.includes(what) ? [...one[what], ...other[what]] : one[what] + other[what],
  ]);
  return Object.fromEntries(sums);
}

/**
 * Reads the counts that a runner wrote. A runner that failed without reporting a failure counts as one
 * failure.
 */
export function readCounts(file, code) {
  const counts = { ...NOTHING, ...(existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))) };
  if (code === 0 || counts.failed > 0) return counts;
  const error =
    counts.flaky > 0
      ? `${counts.flaky} flaky tests are too many, or the run ended badly`
      : `it ended with the exit code ${code}; its output above says more`;
  const whole = { kind: 'failed', test: 'the run as a whole', error };
  return { ...counts, failed: 1, troubles: [...counts.troubles, whole] };
}

/** Returns the path of a new file for a runner's counts. */
export function countsFile(name) {
  mkdirSync(inRoot('.build'), { recursive: true });
  const file = inRoot('.build', `${name}-tests.json`);
  rmSync(file, { force: true });
  return file;
}
