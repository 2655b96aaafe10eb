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

/** The counts of no test: how many did what, and in `bad` each file in which one failed, with its own counts. */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, bad: [] };

/** Counts together. */
export function add(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    bad: [...one.bad, ...other.bad],
  };
}

/** Counts without those of some of their `bad` files. */
export function without(counts, files) {
  return files.reduce(
    (rest, { counts: { passed, failed, skipped } }) =>
      add(rest, { ...NOTHING, passed: -passed, failed: -failed, skipped: -skipped }),
    counts,
  );
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
 * Runs node:test files and answers their counts. Each list of files is run in a process of its own, one file after the other,
 * since a process takes a second to start and some files share what takes longer still; `concurrency` is the number of
 * processes at the same time. `timeout` is the milliseconds one test may take, and `first` a module that each process loads
 * before its files.
 */
export async function runNodeTests(name, lists, { concurrency, timeout, first }) {
  const entries = lists.filter((files) => files.length > 0);
  if (entries.length === 0) return NOTHING;
  const counts = countsFile(name);
  const { code } = await runNode(
    [
      '--import=tsx',
      '--test',
      `--test-concurrency=${concurrency}`,
      `--test-reporter=${inRoot('scripts/lib/node-test-reporter.mjs')}`,
      '--test-reporter-destination=stdout',
      ...entries.map((files, index) => writeEntry(`${name}-${index + 1}`, { files, timeout, first })),
    ],
    { env: { COUNTS_FILE: counts } },
  );
  return readCounts(counts, code);
}

/** Writes the program of one process: a suite for each file, whose tests inherit its time limit. */
function writeEntry(name, { files, timeout, first }) {
  const entry = inRoot('.build', 'test-entries', `${name}.test.mjs`);
  mkdirSync(dirname(entry), { recursive: true });
  const load = (file) => `import(${JSON.stringify(pathToFileURL(inRoot(file)).href)})`;
  const suites = files.map(
    (file) =>
      `suite(${JSON.stringify(file)}, { timeout: ${timeout} }, async () => {\n  await ${load(file)};\n});\n`,
  );
  const before = first ? `await ${load(first)};\n` : '';
  writeFileSync(entry, `import { suite } from 'node:test';\n${before}${suites.join('')}`);
  return entry;
}
