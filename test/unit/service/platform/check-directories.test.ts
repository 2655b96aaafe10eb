import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'node:test';
import { removeLeftChecks } from '../../../../server/src/startup/checks/left-checks.js';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'cloud-browser-checks-'))));
afterEach(() => rm(directory, { recursive: true }));

it('a check removes the directories of checks that were killed long ago', async () => {
  const long = new Date(Date.now() - 3_700_000);
  for (const name of ['run', 'run-check-old', 'run-check-new', 'other-check-old'])
    await mkdir(join(directory, name, '0'), { recursive: true });
  for (const name of ['run', 'run-check-old', 'other-check-old'])
    await utimes(join(directory, name), long, long);
  await removeLeftChecks(join(directory, 'run'));
  assert.deepEqual((await readdir(directory)).sort(), ['other-check-old', 'run', 'run-check-new']);
});
