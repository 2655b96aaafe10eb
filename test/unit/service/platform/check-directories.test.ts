import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, it } from 'node:test';
import { MAX_PATH_BYTES } from '../../../../server/src/pool/runtime-directory.js';
import {
  makeCheckDirectory,
  removeLeftChecks,
} from '../../../../server/src/startup/checks/check-directories.js';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'cloud-browser-checks-'))));
afterEach(() => rm(directory, { recursive: true }));

it('a check removes the directories of checks that were killed long ago', async () => {
  const long = new Date(Date.now() - 3_700_000);
  for (const name of ['run/check-old', 'run-check-old', 'run-check-new', 'other-check-old'])
    await mkdir(join(directory, name, '0'), { recursive: true });
  for (const name of ['run/check-old', 'run', 'run-check-old', 'other-check-old'])
    await utimes(join(directory, name), long, long);
  await removeLeftChecks(join(directory, 'run'));
  assert.deepEqual((await readdir(directory)).sort(), ['other-check-old', 'run', 'run-check-new']);
  assert.deepEqual(await readdir(join(directory, 'run')), []);
});

it('a check uses the directory for temporary files if its path beside RUNTIME_DIR is too long', async () => {
  const long = join(directory, 'r'.repeat(MAX_PATH_BYTES - directory.length - 1));
  const made = await makeCheckDirectory(long, false);
  assert.equal(dirname(made), tmpdir());
  await rm(made, { recursive: true });
});

it('a check makes the missing parents of its directory, which all users can traverse', async () => {
  const parent = join(directory, 'parent');
  const made = await makeCheckDirectory(join(parent, 'run'), false);
  assert.deepEqual(await readdir(parent), [basename(made)]);
  assert.equal((await stat(parent)).mode & 0o777, 0o755);
});
