/**
 * Runs every test, or only the groups named as arguments (static, unit, browser, e2e), and closes with one
 * line, `N passed, N failed`. Groups run one after the other: end-to-end tests want the machine to themselves.
 */
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

const GROUPS = {
  static: runStaticChecks,
  unit: () => runNodeTests('unit', 'test/unit', { concurrency: 2, timeout: 60_000 }),
  browser: runBrowserTests,
  // A session's start on a busy machine takes seconds, and one file may hold many sessions.
  e2e: () => runNodeTests('e2e', 'test/e2e', { concurrency: 1, timeout: 300_000 }),
};

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
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const name of names.length > 0 ? names : Object.keys(GROUPS)) {
    console.log(`\n${name}`);
    const started = Date.now();
    const counts = await GROUPS[name]();
    for (const key of Object.keys(total)) total[key] += counts[key];
    console.log(
      `  ${counts.passed} passed, ${counts.failed} failed, ${((Date.now() - started) / 1000).toFixed(1)} s`,
    );
  }

  if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
