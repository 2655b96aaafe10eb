import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Counts } from '../../scripts/lib/counts.mjs';

const REPORTER = fileURLToPath(new URL('../../scripts/lib/node-test-reporter.mjs', import.meta.url));

const SUITE = `
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
it('passes', () => {});
describe('a sum', () => {
  it('is right', () => assert.equal(1 + 1, 3));
});
`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'failed-tests-'));
});
after(() => rm(folder, { recursive: true }));

it('a run of unit tests stores the first line of each failure for the summary', async () => {
  const [suite, counts] = [join(folder, 'sum.test.mjs'), join(folder, 'counts.json')];
  await writeFile(suite, SUITE);
  // The variables of this test's runner must not reach the inner runner.
  const { NODE_TEST_CONTEXT, ...rest } = process.env;
  const args = ['--test', `--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout', suite];
  await new Promise<void>((resolve) => {
    const options = { env: { ...rest, COUNTS_FILE: counts }, cwd: folder };
    execFile(process.execPath, args, options, () => {
      resolve();
    });
  });
  const { times, ...outcome } = JSON.parse(await readFile(counts, 'utf8')) as Counts;
  assert.ok(times.every(({ seconds }) => seconds >= 0));
  assert.deepEqual(outcome, {
    passed: 1,
    failed: 1,
    flaky: 0,
    skipped: 0,
    notRun: 0,
    troubles: [
      {
        kind: 'failed',
        test: 'sum.test.mjs: a sum › is right',
        error: 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 2 !== 3',
      },
    ],
  });
});
