/**
 * Runs every test, or only the groups named as arguments (static, unit, processes, database, browser, crossbrowser, faults, walk, packages, e2e), and closes with one
 * line, `N passed, N failed`, below the number of flaky tests and a list of what failed and what was flaky. Groups that wait for much run beside those that compute; the others run
 * one after the other. The static checks take the time that all of them leave.
 */
import { build } from './build.mjs';
import { add, countsFile, NOTHING, readCounts } from './lib/counts.mjs';
import { runNodeTests, testFiles } from './lib/node-tests.mjs';
import { installNpmPackages } from './lib/npm-packages.mjs';
import { TOOLS } from './lib/paths.mjs';
import { main, runNode, ScriptError } from './lib/run.mjs';
import { printChecks, startStaticChecks } from './lib/static-checks.mjs';
import { troubleLines } from './lib/troubles.mjs';
import { setup } from './setup.mjs';

async function runBrowserTests(collect) {
  if (testFiles('test/browser').length === 0) return { counts: NOTHING, output: '' };
  const file = countsFile('browser');
  const { code, output } = await runNode(['scripts/lib/browser-test-runner.mjs'], {
    collect,
    env: { COUNTS_FILE: file },
  });
  return { counts: readCounts(file, code), output };
}

/**
 * The time of a whole file and of each of its tests, after which it hangs: many times what the longest takes on a machine that does
 * nothing else. Milliseconds.
 */
const HANG_TIMEOUT_MS = 900_000;
/** The same for a file of unit tests, which takes seconds. */
const UNIT_TIMEOUT_MS = 300_000;

/** Processes of unit tests: enough of them to end at about the same time. */
const UNIT_PROCESSES = 6;
/** How many of them run at the same time: some of their tests wait. */
const UNIT_AT_ONCE = 3;

function runUnitTests(collect) {
  const files = testFiles('test/unit');
  const lists = Array.from({ length: UNIT_PROCESSES }, (_, nth) =>
    files.filter((_file, index) => index % UNIT_PROCESSES === nth),
  );
  return runNodeTests('unit', lists, { concurrency: UNIT_AT_ONCE, timeout: UNIT_TIMEOUT_MS, collect });
}

/** Tests of processes that the service or a test starts, or that are killed: they take seconds each, half of which they wait. */
function runProcessTests(collect) {
  const lists = testFiles('test/processes').map((file) => [file]);
  return runNodeTests('processes', lists, { concurrency: 3, timeout: HANG_TIMEOUT_MS, collect });
}

/** Each file starts a PostgreSQL of its own, and mostly waits for it. */
function runDatabaseTests(collect) {
  const files = [...testFiles('test/database'), ...testFiles('test/cluster')];
  const lists = files.map((file) => [file]);
  // One at a time: what answers within a deadline must not wait for the processor.
  return runNodeTests('database', lists, { concurrency: 1, timeout: UNIT_TIMEOUT_MS, collect });
}

/** playwright.config.ts says what runs beside what, what is tried again, and how many flaky tests a run may have. */
async function runEndToEndTests(collect) {
  const file = countsFile('e2e');
  const { code, output } = await runNode([TOOLS.playwright, 'test'], { collect, env: { COUNTS_FILE: file } });
  return { counts: readCounts(file, code), output };
}

function runCrossBrowserTests(collect) {
  const lists = [testFiles('test/crossbrowser')];
  return runNodeTests('crossbrowser', lists, { concurrency: 1, timeout: HANG_TIMEOUT_MS, collect });
}

/** Sessions are struck one after the other: each row looks at a neighbour that must not notice. */
function runFaultTests(collect) {
  const lists = [testFiles('test/faults')];
  return runNodeTests('faults', lists, { concurrency: 1, timeout: HANG_TIMEOUT_MS, collect });
}

function runWalks(collect) {
  const lists = [testFiles('test/walk')];
  return runNodeTests('walk', lists, { concurrency: 1, timeout: HANG_TIMEOUT_MS, collect });
}

/** What is published: packed and looked at by tools that nothing else needs. */
async function runPackageTests(collect) {
  await installNpmPackages('packaging');
  await installNpmPackages('docs-site');
  const lists = testFiles('test/packages').map((file) => [file]);
  return runNodeTests('packages', lists, { concurrency: 1, timeout: HANG_TIMEOUT_MS, collect });
}

const GROUPS = {
  unit: runUnitTests,
  processes: runProcessTests,
  database: runDatabaseTests,
  browser: runBrowserTests,
  crossbrowser: runCrossBrowserTests,
  faults: runFaultTests,
  e2e: runEndToEndTests,
  walk: runWalks,
  packages: runPackageTests,
};
const NAMES = ['static', ...Object.keys(GROUPS)];

/** What runs at the same time, in this order. A group of the second lane waits half its time; e2e fills the machine by itself. */
const STAGES = [
  [
    ['unit', 'browser'],
    ['packages', 'processes', 'database', 'faults', 'walk'],
  ],
  [['crossbrowser', 'e2e']],
];

/** Runs a group and prints what it says, at once or, with `collect`, in one piece when it is over. */
async function runGroup(name, group, collect = false) {
  const title = `\n${name}`;
  if (!collect) console.log(title);
  const started = Date.now();
  const { counts, output } = await group(collect);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (collect) console.log(`${title}\n${output.trimEnd()}`);
  console.log(`  ${counts.passed} passed, ${counts.failed} failed, ${counts.flaky} flaky, ${seconds} s`);
  return { ...counts, troubles: counts.troubles.map((trouble) => ({ ...trouble, group: name })) };
}

/** Runs the groups of a lane one after the other and answers their counts together. */
async function runLane(names, collect) {
  let total = NOTHING;
  for (const name of names) total = add(total, await runGroup(name, GROUPS[name], collect));
  return total;
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
  for (const stage of STAGES) {
    const lanes = stage
      .map((lane) => lane.filter((name) => wanted.includes(name)))
      .filter(({ length }) => length > 0);
    const counts = await Promise.all(lanes.map((lane) => runLane(lane, lanes.length > 1)));
    total = [total, ...counts].reduce(add);
  }
  if (checks)
    total = add(total, await runGroup('static', async () => ({ counts: printChecks(await checks) })));

  for (const line of troubleLines(total.troubles)) console.log(line);
  if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
  if (total.notRun > 0) console.log(`\n${total.notRun} not run, because of what failed before`);
  console.log(`\n${total.flaky} flaky\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
