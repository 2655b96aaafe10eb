import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Counts } from '../../scripts/lib/counts.mjs';

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const RUNNER = inRoot('node_modules/@playwright/test/cli.js');
const CONFIG = inRoot('test/processes/flaky-suite/playwright.config.ts');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flaky-suite-'));
});
after(() => rm(folder, { recursive: true }));

/** Runs the suite of the fixture with these variables in its environment. */
async function run(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  // The variables of this test's runner must not reach the inner runner.
  const { NODE_TEST_CONTEXT, COUNTS_FILE, ...rest } = process.env;
  return new Promise((resolve) => {
    const options = { env: { ...rest, ...environment } };
    execFile(process.execPath, [RUNNER, 'test', '--config', CONFIG], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    );
  });
}

describe('a run of end-to-end tests', () => {
  it('reports that no test was flaky', async () => {
    const { code, output } = await run({ FLAKY_TESTS: '0' });
    assert.equal(code, 0, output);
    assert.match(output, /\n0 flaky\n4 passed, 0 failed\n/);
  });

  it('lists tests that passed at the second attempt with their failures, and accepts two of them', async () => {
    const { code, output } = await run({ FLAKY_TESTS: '2' });
    assert.equal(code, 0, output);
    assert.match(
      output,
      /✗ flaky\.ts: passes at its second attempt, 1 \(to be tried again\)\n\s+Error: expect/,
    );
    assert.match(output, /flaky: flaky\.ts: passes at its second attempt, 1\n/);
    assert.match(output, /\n2 flaky\n4 passed, 0 failed\n/);
  });

  it('fails with three flaky tests, and stores its counts for the summary', async () => {
    const file = join(folder, 'counts.json');
    const { code, output } = await run({ FLAKY_TESTS: '3', COUNTS_FILE: file });
    assert.equal(code, 1);
    assert.match(output, /3 flaky tests are too many: a good run has 2 at most/);
    const { times, ...counts } = JSON.parse(await readFile(file, 'utf8')) as Counts;
    assert.deepEqual(
      times.map(({ file: name }) => name),
      ['flaky.ts'],
    );
    const troubles = [1, 2, 3].map((nth) => ({
      kind: 'flaky',
      test: `flaky.ts: passes at its second attempt, ${nth}`,
      error: 'Error: expect(received).toBe(expected) // Object.is equality\nExpected: 1\nReceived: 0',
    }));
    assert.deepEqual(counts, { passed: 4, failed: 0, flaky: 3, skipped: 0, notRun: 0, troubles });
  });

  it('does not retry tests without a second attempt, and reports the tests that did not run', async () => {
    const { code, output } = await run({ FLAKY_TESTS: '0', FAILING: '1' });
    assert.equal(code, 1);
    assert.equal(output.match(/✗ flaky\.ts: without a second attempt › may fail\n/g)?.length, 1);
    assert.match(output, /\n1 not run, because of what failed before\n/);
    assert.match(output, /\n0 flaky\n1 passed, 2 failed\n/);
  });
});
