/**
 * Runs the short part of the tests, or with `--all` everything, or with `--rest` what the short part leaves
 * out. Groups named as arguments (static, unit, processes, database, browser, crossbrowser, faults, walk,
 * packages, e2e) run whole. `--shard=1/2` takes one half of the files of each group. Ends with one line,
 * `N passed, N failed`. Above it are the number of flaky tests and a list of failed and flaky ones.
 * The lanes of a stage run at the same time. The groups of a lane run one after the other. The static checks
 * use the processor time that all of them leave.
 */
import { build } from './build.mjs';
import { add, countsFile, NOTHING, readCounts } from './lib/counts.mjs';
import { runNodeTests, testFiles } from './lib/node-tests.mjs';
import { machineSlowness } from './lib/machine-speed.mjs';
import { installNpmPackages } from './lib/npm-packages.mjs';
import { TOOLS } from './lib/paths.mjs';
import { main, runNode, ScriptError } from './lib/run.mjs';
import { printChecks, startStaticChecks } from './lib/static-checks.mjs';
import { filesOf, groupsOf } from './lib/test-plan.mjs';
import { readShard, shardOf } from './lib/test-shards.mjs';
import { slowestLines, writeTimes } from './lib/test-times.mjs';
import { troubleLines } from './lib/troubles.mjs';
import { setup } from './setup.mjs';

const OPTIONS = { '--all': 'all', '--rest': 'rest' };
const named = process.argv.slice(2);
/** The shard `K/N` of this run, or undefined if it takes all files. */
const shard = named.map(readShard).find((found) => found !== undefined);
const options = named.filter((argument) => argument.startsWith('--') && readShard(argument) === undefined);
const namedGroups = named.filter((argument) => !argument.startsWith('--'));
/** The part of the tests that this run takes. */
// `npm run test:all -- --rest` passes both options; the last one counts.
const part = OPTIONS[options.at(-1)] ?? (namedGroups.length > 0 ? 'all' : 'short');
process.env.TEST_PART = part;
if (shard !== undefined) process.env.TEST_SHARD = shard;

/** Returns the test files of a group that this run takes. */
const filesIn = (group, ...folders) =>
  shardOf(shard, group, filesOf(part, group, folders.flatMap(testFiles)));

async function runBrowserTests(collect) {
  // Its runner takes all files of the folder, or none.
  const folders = shardOf(shard, 'browser', ['test/browser']);
  if (filesOf(part, 'browser', folders.flatMap(testFiles)).length === 0)
    return { counts: NOTHING, output: '' };
  const file = countsFile('browser');
  const { code, output } = await runNode(['scripts/lib/browser-test-runner.mjs'], {
    collect,
    env: { COUNTS_FILE: file },
  });
  return { counts: readCounts(file, code), output };
}

/**
 * Time in milliseconds after which a whole file, or one of its tests, counts as hanging. Many times the
 * duration of the longest one on an idle machine.
 */
const HANG_TIMEOUT_MS = 900_000;
/** The same for a file of unit tests, which takes seconds. */
const UNIT_TIMEOUT_MS = 300_000;

/**
 * Processes of unit tests, which run at the same time. Each takes 20 s of processor time to load the code.
 * Another lane uses the time in which their tests wait.
 */
const UNIT_PROCESSES = 2;

function runUnitTests(collect) {
  const files = filesIn('unit', 'test/unit');
  const lists = Array.from({ length: UNIT_PROCESSES }, (_, nth) =>
    files.filter((_file, index) => index % UNIT_PROCESSES === nth),
  );
  return runNodeTests('unit', lists, { concurrency: UNIT_PROCESSES, timeout: UNIT_TIMEOUT_MS, collect });
}

/**
 * Runs tests of processes that the service or a test starts, or that are killed. They take seconds each, and
 * wait for half of that time.
 */
function runProcessTests(collect) {
  const lists = filesIn('processes', 'test/processes').map((file) => [file]);
  return runNodeTests('processes', lists, { concurrency: 3, timeout: HANG_TIMEOUT_MS, collect });
}

/** Runs the tests with a database. Each file starts its own PostgreSQL, and mostly waits for it. */
function runDatabaseTests(collect) {
  const lists = filesIn('database', 'test/database', 'test/cluster').map((file) => [file]);
  // One at a time: a test with a deadline must not wait for the processor.
  return runNodeTests('database', lists, { concurrency: 1, timeout: UNIT_TIMEOUT_MS, collect });
}

/**
 * Runs the end-to-end tests. playwright.config.ts sets what runs in parallel, which tests are retried, and
 * how many flaky tests a run may have.
 */
async function runEndToEndTests(collect) {
  const file = countsFile('e2e');
  const { code, output } = await runNode([TOOLS.playwright, 'test'], { collect, env: { COUNTS_FILE: file } });
  return { counts: readCounts(file, code), output };
}

function runCrossBrowserTests(collect) {
  const lists = [filesIn('crossbrowser', 'test/crossbrowser')];
  return runNodeTests('crossbrowser', lists, { concurrency: 1, timeout: HANG_TIMEOUT_MS, collect });
}

/**
 * Runs the faults one after the other: each row checks that a neighbouring session does not notice the fault.
 */
function runFaultTests(collect) {
  const lists = [shardOf(shard, 'faults', testFiles('test/faults'))];
  return runNodeTests('faults', lists, { concurrency: 1, timeout: HANG_TIMEOUT_MS, collect });
}

function runWalks(collect) {
  const lists = [shardOf(shard, 'walk', testFiles('test/walk'))];
  return runNodeTests('walk', lists, { concurrency: 1, timeout: HANG_TIMEOUT_MS, collect });
}

/** Tests the published packages, with tools that nothing else needs. */
async function runPackageTests(collect) {
  for (const folder of ['packaging', 'docs-site']) await installNpmPackages(folder);
  const lists = filesIn('packages', 'test/packages').map((file) => [file]);
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

/**
 * Stages of a run, in their order. The lanes of a stage run at the same time. They take about the same time,
 * in the short part as in the rest. e2e fills the machine by itself.
 */
const STAGES = [
  [
    ['unit', 'packages', 'processes', 'walk'],
    ['database', 'browser', 'faults'],
  ],
  [['crossbrowser', 'e2e']],
];

/** Runs a group and prints its output: at once or, with `collect`, in one piece at the end. */
async function runGroup(name, group, collect = false) {
  const title = `\n${name}`;
  if (!collect) console.log(title);
  const started = Date.now();
  const { counts, output } = await group(collect);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (collect) console.log(`${title}\n${output.trimEnd()}`);
  console.log(`  ${counts.passed} passed, ${counts.failed} failed, ${counts.flaky} flaky, ${seconds} s`);
  const named = (list) => list.map((entry) => ({ ...entry, group: name }));
  return { ...counts, troubles: named(counts.troubles), times: named(counts.times) };
}

/** Runs the groups of a lane one after the other, and returns the sum of their counts. */
async function runLane(names, collect) {
  let total = NOTHING;
  for (const name of names) total = add(total, await runGroup(name, GROUPS[name], collect));
  return total;
}

await main(async () => {
  const unknown = namedGroups.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) {
    throw new ScriptError(`No such group of tests: ${unknown.join(', ')}. There are ${NAMES.join(', ')}.`);
  }
  const strange = options.filter((option) => !(option in OPTIONS));
  if (strange.length > 0) {
    throw new ScriptError(
      `Unknown options: ${strange.join(' ')}. Use --all or --rest, and --shard=K/N for the K-th of N parts.`,
    );
  }

  await setup(part === 'short' ? 'short-test' : 'test');
  await build();
  const slowness = machineSlowness();
  if (slowness >= 1.5)
    console.log(`\nThis machine is ${slowness} times slower than usual; deadlines are longer.`);
  let total = NOTHING;
  const wanted = namedGroups.length > 0 ? namedGroups : groupsOf(part, NAMES);
  const checks = wanted.includes('static') ? startStaticChecks(part) : undefined;
  for (const stage of STAGES) {
    const lanes = stage
      .map((lane) => lane.filter((name) => wanted.includes(name)))
      .filter(({ length }) => length > 0);
    const counts = await Promise.all(lanes.map((lane) => runLane(lane, lanes.length > 1)));
    total = [total, ...counts].reduce(add);
  }
  if (checks)
    total = add(total, await runGroup('static', async () => ({ counts: printChecks(await checks) })));

  writeTimes(total.times);
  for (const line of slowestLines(total.times)) console.log(line);
  for (const line of troubleLines(total.troubles)) console.log(line);
  if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
  if (total.notRun > 0) console.log(`\n${total.notRun} not run, because of what failed before`);
  console.log(`\n${total.flaky} flaky\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
