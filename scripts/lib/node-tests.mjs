import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

/** Test files below a folder of the repository, in a stable order. */
export function testFiles(folder) {
  if (!existsSync(inRoot(folder))) return [];
  return readdirSync(inRoot(folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(folder, name));
}

/** Reads the counts a runner left; a runner that ended badly without saying so counts as one failure. */
export function readCounts(file, code) {
  const counts = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0 };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** A fresh place for a runner's counts. */
export function countsFile(name) {
  mkdirSync(inRoot('.build'), { recursive: true });
  const file = inRoot('.build', `${name}-tests.json`);
  rmSync(file, { force: true });
  return file;
}

/**
 * Runs node:test files and answers their counts. `concurrency` is the number of files run at the same time,
 * `timeout` the milliseconds one test may take.
 */
export async function runNodeTests(name, files, { concurrency, timeout }) {
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  const counts = countsFile(name);
  const { code } = await runNode(
    [
      '--import=tsx',
      '--test',
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${timeout}`,
      `--test-reporter=${inRoot('scripts/lib/node-test-reporter.mjs')}`,
      '--test-reporter-destination=stdout',
      ...files,
    ],
    { env: { COUNTS_FILE: counts } },
  );
  return readCounts(counts, code);
}
