import { defineConfig } from '@playwright/test';
import { machineSlowness } from './scripts/lib/machine-speed.mjs';
import { leftOutOf, partOf } from './scripts/lib/test-plan.mjs';
import { IN_CLUSTER } from './test/e2e/support/cluster.js';
import { NOT_OF_CLUSTERS } from './test/e2e/support/cluster-exceptions.js';
import { LAUNCH_OPTIONS } from './test/e2e/support/launch-options.js';
import { STRICT } from './test/support/limits.js';

/** Deadlines get as many times longer; workers read it from the environment. */
const slowness = machineSlowness();
const leftOut = leftOutOf(partOf(process.env));
const without = (...patterns: RegExp[]) => (leftOut ? [...patterns, leftOut] : patterns);

/** The runner of the end-to-end tests: `npx playwright test` after `npm run build`, or `npm test -- e2e`. */
export default defineConfig({
  testDir: 'test',
  testMatch: ['**/test/e2e/**/*.test.ts', '**/test/compat/**/*.test.ts'],
  testIgnore: IN_CLUSTER ? Object.keys(NOT_OF_CLUSTERS).map((name) => `**/test/e2e/**/${name}.test.ts`) : [],
  outputDir: '.build/e2e-results',
  reporter: [['./test/e2e/support/reporter.ts', { mostFlaky: Math.round(2 * slowness) }]],
  // Tests of a file share sessions, and a session is two whole browsers; but half the time a test waits for
  // something to pass, so that three files at a time keep two cores busy.
  fullyParallel: false,
  workers: 3,
  retries: 1,
  forbidOnly: process.env['CI'] !== undefined,
  // The start of a session on a busy machine takes seconds, and one test may hold many sessions.
  timeout: 180_000 * slowness,
  use: {
    browserName: 'chromium',
    launchOptions: LAUNCH_OPTIONS,
    actionTimeout: 30_000 * slowness,
    navigationTimeout: 30_000 * slowness,
    screenshot: 'only-on-failure',
    // Pictures and copies of the page for each call would cost the processor time that the sessions need.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: true },
  },
  projects: [
    { name: 'desktop', grepInvert: without(/@mobile|@alone/) },
    { name: 'mobile', grep: /@mobile/, grepInvert: without() },
    // What counts frames has the machine to itself, and so has whatever is measured when figures are held to
    // their limits as they are; a recorder would be a part of what it measures.
    {
      name: 'timing',
      grep: STRICT ? /@timing/ : /@alone/,
      grepInvert: without(),
      dependencies: ['desktop', 'mobile'],
      workers: 1,
      use: { trace: 'on-first-retry' },
    },
  ],
});
