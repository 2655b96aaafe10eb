import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/** The counts of no test. Flaky tests, which passed when they were tried again, are in no other count. */
export const NOTHING = { passed: 0, failed: 0, flaky: 0, skipped: 0, notRun: 0, troubles: [] };

/** Counts together. */
export function add(one, other) {
  const numbers = Object.keys(NOTHING).filter((what) => what !== 'troubles');
  const sums = numbers.map((what) => [what, one[what] + other[what]]);
  return { ...Object.fromEntries(sums), troubles: [...one.troubles, ...other.troubles] };
}

/** Reads the counts a runner left; a runner that ended badly without saying so counts as one failure. */
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

/** A fresh place for a runner's counts. */
export function countsFile(name) {
  mkdirSync(inRoot('.build'), { recursive: true });
  const file = inRoot('.build', `${name}-tests.json`);
  rmSync(file, { force: true });
  return file;
}
