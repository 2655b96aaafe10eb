/**
 * Runs every test, or only the groups named as arguments (static, unit, browser, e2e), and closes with one
 * line, `N passed, N failed`. Groups run one after the other. Of the end-to-end tests two files run at a time, but those
 * that count frames or time have the machine to themselves.
 */
import { basename } from 'node:path';
import { build } from './build.mjs';
import { countsFile, readCounts, runNodeTests, testFiles } from './lib/node-tests.mjs';
import { main, runNode, ScriptError } from './lib/run.mjs';
import { runStaticChecks } from './lib/static-checks.mjs';
import { setup } from './setup.mjs';

async function runBrowserTests() {
  if (testFiles('test/browser').length === 0) return { passed: 0, failed: 0, skipped: 0 };
  const file = countsFile('browser');
  const { code } = await runNode(['scripts/lib/browser-test-runner.mjs'], { env: { COUNTS_FILE: file } });
  return readCounts(file, code);
}

/** End-to-end tests that count what a second brings or costs, or keep to it: a key that is lifted late repeats. */
const ALONE = ['embed-module', 'frame-rate', 'resize', 'timeouts', 'typing', 'viewers'];
/** A session's start on a busy machine takes seconds, and one file may hold many sessions. Milliseconds. */
const E2E_LIMIT = 300_000;

async function runEndToEndTests() {
  const files = testFiles('test/e2e');
  const isAlone = (file) => ALONE.includes(basename(file, '.test.ts'));
  const alone = await runNodeTests('e2e-alone', files.filter(isAlone), {
    concurrency: 1,
    timeout: E2E_LIMIT,
  });
  const others = files.filter((file) => !isAlone(file));
  return add(alone, await runNodeTests('e2e', others, { concurrency: 2, timeout: E2E_LIMIT }));
}

const GROUPS = {
  static: runStaticChecks,
  unit: () => runNodeTests('unit', testFiles('test/unit'), { concurrency: 2, timeout: 60_000 }),
  browser: runBrowserTests,
  e2e: runEndToEndTests,
};

function add(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

await main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !Object.hasOwn(GROUPS, name));
  if (unknown.length > 0) {
    throw new ScriptError(
      `No such group of tests: ${unknown.join(', ')}. There are ${Object.keys(GROUPS).join(', ')}.`,
    );
  }

  await setup();
  await build();
  let total = { passed: 0, failed: 0, skipped: 0 };
  for (const name of names.length > 0 ? names : Object.keys(GROUPS)) {
    console.log(`\n${name}`);
    const started = Date.now();
    const counts = await GROUPS[name]();
    total = add(total, counts);
    console.log(
      `  ${counts.passed} passed, ${counts.failed} failed, ${((Date.now() - started) / 1000).toFixed(1)} s`,
    );
  }

  if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
