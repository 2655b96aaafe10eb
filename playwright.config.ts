import { defineConfig } from '@playwright/test';
import { machineSlowness } from './scripts/lib/machine-speed.mjs';
import { testFiles } from './scripts/lib/node-tests.mjs';
import { leftOutOf, partOf } from './scripts/lib/test-plan.mjs';
import { shardOf } from './scripts/lib/test-shards.mjs';
import { IN_CLUSTER } from './test/e2e/support/cluster.js';
import { NOT_OF_CLUSTERS } from './test/e2e/support/cluster-exceptions.js';
import { LAUNCH_OPTIONS } from './test/e2e/support/launch-options.js';
import { STRICT } from './test/support/limits.js';

/** Factor for all deadlines. Workers read it from the environment. */
const slowness = machineSlowness();
const leftOut = leftOutOf(partOf(process.env));
const without = (...patterns: RegExp[]) => (leftOut ? [...patterns, leftOut] : patterns);

const all = ['test/e2e', 'test/compat'].flatMap(testFiles);
const inShard = shardOf(process.env['TEST_SHARD'], 'e2e', all);
const ofOtherShards = all.filter((file) => !inShard.includes(file));

/** The runner of the end-to-end tests: `npx playwright test` after `npm run build`, or `npm test -- e2e`. */
export default defineConfig({
  testDir: 'test',
  testMatch: ['**/test/e2e/**/*.test.ts', '**/test/compat/**/*.test.ts'],
  testIgnore: [
    ...(IN_CLUSTER ? Object.keys(NOT_OF_CLUSTERS).map((name) => `**/test/e2e/**/${name}.test.ts`) : []),
    ...ofOtherShards.map((file) => `**/${file}`),
  ],
  outputDir: '.build/e2e-results',
  reporter: [['./test/e2e/support/reporter.ts', { mostFlaky: Math.round(2 * slowness) }]],
  // The tests of a file share sessions. The short part mostly starts sessions, so two files at a time keep
  // two cores busy. The rest waits for half of its time.
  fullyParallel: false,
  workers: partOf(process.env) === 'short' ? 2 : 3,
  retries: 1,
  forbidOnly: process.env['CI'] !== undefined,
  // On a busy machine the start of a session takes seconds, and a test may start many sessions.
  timeout: 180_000 * slowness,
  use: {
    browserName: 'chromium',
    launchOptions: LAUNCH_OPTIONS,
    actionTimeout: 30_000 * slowness,
    navigationTimeout: 30_000 * slowness,
    screenshot: 'only-on-failure',
    // Pictures and copies of the page for each call would take processor time from the sessions.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: true },
  },
  projects: [
    { name: 'parallel', grepInvert: without(/@alone/) },
    // Tests that count frames have the machine to themselves. With strict limits, all tests that measure do.
    // A recorded trace would change their figures.
    {
      name: 'timing',
      grep: STRICT ? /@timing/ : /@alone/,
      grepInvert: without(),
      dependencies: ['parallel'],
      workers: 1,
      use: { trace: 'on-first-retry' },
    },
  ],
});
