import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** The counts of no test. Flaky tests, which passed when they were tried again, are in no other count. */
export const NOTHING = { passed: 0, failed: 0, flaky: 0, skipped: 0, notRun: 0 };

/** Counts together. */
export function add(one, other) {
  return Object.fromEntries(Object.keys(NOTHING).map((what) => [what, one[what] + other[what]]));
}

/** Reads the counts a runner left; a runner that ended badly without saying so counts as one failure. */
export function readCounts(file, code) {
  const counts = { ...NOTHING, ...(existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))) };
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
 * Runs node:test files and answers their counts and, with `collect`, what was printed. Each list of files is run in a process of its own, one file after the other,
 * since a process takes a second to start; `concurrency` is the number of processes at the same time. `timeout` is the
 * milliseconds one test may take.
 */
export async function runNodeTests(name, lists, { concurrency, timeout, collect = false }) {
  const entries = lists.filter((files) => files.length > 0);
  if (entries.length === 0) return { counts: NOTHING, output: '' };
  const counts = countsFile(name);
  const { code, output } = await runNode(
    [
      '--import=tsx',
      '--test',
      `--test-concurrency=${concurrency}`,
      `--test-reporter=${inRoot('scripts/lib/node-test-reporter.mjs')}`,
      '--test-reporter-destination=stdout',
      ...entries.map((files, index) => writeEntry(`${name}-${index + 1}`, { files, timeout })),
    ],
    { collect, env: { COUNTS_FILE: counts } },
  );
  return { counts: readCounts(counts, code), output };
}

/**
 * Writes the program of one process: a suite for each file, whose tests inherit its time limit. A file that leaves behind what another
 * one could stumble over fails.
 */
function writeEntry(name, { files, timeout }) {
  const entry = inRoot('.build', 'test-entries', `${name}.test.mjs`);
  mkdirSync(dirname(entry), { recursive: true });
  const url = (file) => JSON.stringify(pathToFileURL(inRoot(file)).href);
  const suites = files.map(
    (file) => `suite(${JSON.stringify(file)}, { timeout: ${timeout} }, async () => {
  let found;
  before(() => void (found = sharedState()));
  after(() => assertNothingLeft(found));
  await import(${url(file)});
});
`,
  );
  writeFileSync(
    entry,
    `import { after, before, suite, test } from 'node:test';
import { assertNoHandleForgotten, assertNothingLeft, sharedState } from ${url('scripts/lib/left-behind.mjs')};
${suites.join('')}test('every file that was opened is closed', assertNoHandleForgotten);
`,
  );
  return entry;
}
