/**
 * Runs every test, or only the groups named as arguments (static, unit, processes, browser, crossbrowser, faults, walk, e2e), and closes with one
 * line, `N passed, N failed`, below the number of flaky tests. Groups run one after the other, beside the static checks, which
 * take the time that the others leave.
 */
import { build } from './build.mjs';
import { add, countsFile, NOTHING, readCounts, runNodeTests, testFiles } from './lib/node-tests.mjs';
import { TOOLS } from './lib/paths.mjs';
import { main, runNode, ScriptError } from './lib/run.mjs';
import { printChecks, startStaticChecks } from './lib/static-checks.mjs';
import { setup } from './setup.mjs';

async function runBrowserTests() {
  if (testFiles('test/browser').length === 0) return NOTHING;
  const file = countsFile('browser');
  const { code } = await runNode(['scripts/lib/browser-test-runner.mjs'], { env: { COUNTS_FILE: file } });
  return readCounts(file, code);
}

/** Processes of unit tests, two at a time: enough of them to end at about the same time. */
const UNIT_PROCESSES = 6;

function runUnitTests() {
  const files = testFiles('test/unit');
  const lists = Array.from({ length: UNIT_PROCESSES }, (_, nth) =>
    files.filter((_file, index) => index % UNIT_PROCESSES === nth),
  );
  return runNodeTests('unit', lists, { concurrency: 2, timeout: 120_000 });
}

/** Tests of processes that the service starts, or that are killed: they take seconds each, half of which they wait. */
function runProcessTests() {
  const lists = testFiles('test/processes').map((file) => [file]);
  return runNodeTests('processes', lists, { concurrency: 3, timeout: 120_000 });
}

/** playwright.config.ts says what runs beside what, what is tried again, and how many flaky tests a run may have. */
async function runEndToEndTests() {
  const file = countsFile('e2e');
  const { code } = await runNode([TOOLS.playwright, 'test'], { env: { COUNTS_FILE: file } });
  return readCounts(file, code);
}

/** A browser's start on a busy machine takes seconds. Milliseconds. */
const BROWSER_START_TIMEOUT_MS = 120_000;

/** The limit is that of the whole file as well: three browsers, one after the other. Milliseconds. */
const CROSSBROWSER_TIMEOUT_MS = 300_000;

function runCrossBrowserTests() {
  const lists = [testFiles('test/crossbrowser')];
  return runNodeTests('crossbrowser', lists, { concurrency: 1, timeout: CROSSBROWSER_TIMEOUT_MS });
}

/** Sessions are struck one after the other: each row looks at a neighbour that must not notice. */
function runFaultTests() {
  const lists = [testFiles('test/faults')];
  return runNodeTests('faults', lists, { concurrency: 1, timeout: BROWSER_START_TIMEOUT_MS });
}

/** Forty acts, or all pages of a site, each looked at for a moment, on a busy machine. Milliseconds. */
const WALK_TIMEOUT_MS = 180_000;

function runWalks() {
  return runNodeTests('walk', [testFiles('test/walk')], { concurrency: 1, timeout: WALK_TIMEOUT_MS });
}

const GROUPS = {
  unit: runUnitTests,
  processes: runProcessTests,
  browser: runBrowserTests,
  crossbrowser: runCrossBrowserTests,
  faults: runFaultTests,
  e2e: runEndToEndTests,
  walk: runWalks,
};
const NAMES = ['static', ...Object.keys(GROUPS)];

async function runGroup(name, group) {
  console.log(`\n${name}`);
  const started = Date.now();
  const counts = await group();
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`  ${counts.passed} passed, ${counts.failed} failed, ${counts.flaky} flaky, ${seconds} s`);
  return counts;
}

await main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) {
    throw new ScriptError(`No such group of tests: ${unknown.join(', ')}. There are ${NAMES.join(', ')}.`);
  }

  await setup('test');
  await build();
  let total = NOTHING;
  const wanted = names.length > 0 ? names : NAMES;
  const checks = wanted.includes('static') ? startStaticChecks() : undefined;
  for (const name of wanted.filter((each) => each !== 'static')) {
    total = add(total, await runGroup(name, GROUPS[name]));
  }
  if (checks) total = add(total, await runGroup('static', async () => printChecks(await checks)));

  if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
  if (total.notRun > 0) console.log(`\n${total.notRun} not run, because of what failed before`);
  console.log(`\n${total.flaky} flaky\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
