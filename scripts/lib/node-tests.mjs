import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { countsFile, NOTHING, readCounts } from './counts.mjs';
import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

/** Returns the address of a file of the repository for `import`. */
const url = (file) => pathToFileURL(inRoot(file)).href;

/** Returns the test files below a folder of the repository, in a stable order. */
export function testFiles(folder) {
  if (!existsSync(inRoot(folder))) return [];
  return readdirSync(inRoot(folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Runs node:test files. Returns their counts and, with `collect`, their output. Each list of files runs in
 * one process, one file after the other, because a process takes a second to start. `concurrency` is the
 * number of processes at the same time. `timeout` is the limit of one test in milliseconds.
 */
export async function runNodeTests(name, lists, { concurrency, timeout, collect = false }) {
  const entries = lists.filter((files) => files.length > 0);
  if (entries.length === 0) return { counts: NOTHING, output: '' };
  const counts = countsFile(name);
  const { code, output } = await runNode(
    [
      '--import=tsx',
      `--import=${url('scripts/lib/assert-messages.mjs')}`,
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
 * Writes the program of one process: a suite for each file, whose tests inherit its time limit. A file fails
 * if it leaves state that could affect other files.
 */
function writeEntry(name, { files, timeout }) {
  const entry = inRoot('.build', 'test-entries', `${name}.test.mjs`);
  mkdirSync(dirname(entry), { recursive: true });
  const quoted = (file) => JSON.stringify(url(file));
  const suites = files.map(
    (file) => `suite(${JSON.stringify(file)}, { timeout: ${timeout} }, async () => {
  let found;
  before(() => void (found = sharedState()));
  after(() => assertNothingLeft(found));
  await import(${quoted(file)});
});
`,
  );
  writeFileSync(
    entry,
    `import { after, before, suite, test } from 'node:test';
import { assertNoHandleForgotten, assertNothingLeft, sharedState } from ${quoted('scripts/lib/left-behind.mjs')};
${suites.join('')}test('every file that was opened is closed', assertNoHandleForgotten);
`,
  );
  return entry;
}
