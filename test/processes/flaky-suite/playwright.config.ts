import { defineConfig } from '@playwright/test';

/** The real reporter over tests that need no browser, run by flaky-tests.test.ts. */
export default defineConfig({
  testMatch: 'flaky.ts',
  outputDir: '../../../.build/flaky-suite',
  reporter: [['../../e2e/support/reporter.ts', { mostFlaky: 2 }]],
  retries: 1,
  workers: 1,
});
