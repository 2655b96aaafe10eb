/**
 * Runs every test, or only the groups named as arguments (static, unit, browser, e2e), and closes with one
 * line, `N passed, N failed`. Groups run one after the other, beside the static checks, which take the time that the others
 * leave. Of the end-to-end tests two files run at a time, but those that count frames or time have the machine to themselves.
 */
import { basename } from 'node:path';
import { build } from './build.mjs';
import { add, countsFile, NOTHING, readCounts, runNodeTests, testFiles, without } from './lib/node-tests.mjs';
import { main, runNode, ScriptError } from './lib/run.mjs';
import { printChecks, startStaticChecks } from './lib/static-checks.mjs';
import { setup } from './setup.mjs';

async function runBrowserTests() {
  if (testFiles('test/browser').length === 0) return NOTHING;
  const file = countsFile('browser');
  const { code } = await runNode(['scripts/lib/browser-test-runner.mjs'], { env: { COUNTS_FILE: file } });
  return readCounts(file, code);
}

/** Unit tests that start programs, and so leave the processor idle at times: each has a process of its own beside the others. */
const PROGRAMS = ['file-profile-store', 'host-pool', 'service-process'];

function runUnitTests() {
  const [programs, others] = split(testFiles('test/unit'), PROGRAMS);
  const half = Math.ceil(others.length / 2);
  const lists = [...programs.map((file) => [file]), others.slice(0, half), others.slice(half)];
  return runNodeTests('unit', lists, {
    concurrency: 2,
    timeout: 60_000,
  });
}

/** End-to-end tests that count what a second brings or costs, or keep to it: a key that is lifted late repeats. */
const ALONE = ['embed-module', 'frame-rate', 'resize', 'typing'];
/** Those that do so and wait most of the time: side by side, but beside nothing else. */
const PATIENT = ['timeouts', 'viewer-authorization', 'viewers'];
/** Enough for two at a time to end at about the same time; each starts a service and a browser of its own. */
const PROCESSES = 6;
/** Of how many files the failures may be the machine's. */
const MOST_AGAIN = 3;
/** A session's start on a busy machine takes seconds, and one file may hold many sessions. Milliseconds. */
const END_TO_END = { timeout: 300_000, first: 'test/e2e/support/one-process.ts' };

async function runEndToEndTests() {
  const [alone, notAlone] = split(testFiles('test/e2e'), ALONE);
  const [patient, others] = split(notAlone, PATIENT);
  const eachAlone = patient.map((file) => [file]);
  const lists = Array.from({ length: PROCESSES }, (_, nth) =>
    others.filter((_file, index) => index % PROCESSES === nth),
  );
  let counts = await runNodeTests('e2e-alone', [alone], { concurrency: 1, ...END_TO_END });
  counts = add(counts, await runNodeTests('e2e-patient', eachAlone, { concurrency: 3, ...END_TO_END }));
  counts = add(counts, await runNodeTests('e2e', lists, { concurrency: 2, ...END_TO_END }));
  return tryAgain(counts);
}

/**
 * Runs end-to-end files in which a test failed once more, each with the machine to itself, and lets that count: on a machine
 * that others use too, two browsers may stand still for longer than any test waits. What fails twice has failed, and so has
 * everything when more than a few do. The first failure stays in the output.
 */
async function tryAgain(counts) {
  const files = counts.bad.filter(({ file }) => file.startsWith('test/'));
  if (files.length === 0 || files.length > MOST_AGAIN) return counts;
  console.log(`\n  once more: ${files.map(({ file }) => file).join(', ')}`);
  const again = await runNodeTests(
    'e2e-again',
    files.map(({ file }) => [file]),
    { concurrency: 1, ...END_TO_END },
  );
  return add(without(counts, files), again);
}

/** The files of these names, and the others. */
function split(files, names) {
  const isNamed = (file) => names.includes(basename(file, '.test.ts'));
  return [files.filter(isNamed), files.filter((file) => !isNamed(file))];
}

const GROUPS = {
  unit: runUnitTests,
  browser: runBrowserTests,
  e2e: runEndToEndTests,
};
const NAMES = ['static', ...Object.keys(GROUPS)];

async function runGroup(name, group) {
  console.log(`\n${name}`);
  const started = Date.now();
  const counts = await group();
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`  ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
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
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
