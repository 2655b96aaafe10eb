import { defineConfig } from '@playwright/test';

/** The real reporter for tests that need no browser. flaky-tests.test.ts runs it. */
export default defineConfig({
  testMatch: 'flaky.ts',
  outputDir: '../../../.build/flaky-suite',
  reporter: [['../../e2e/support/reporter.ts', { mostFlaky: 2 }]],
  retries: 1,
  workers: 1,
});
