import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { prepareRuntimeDirectory } from '../../../../server/src/pool/runtime-directory.js';

const root = await mkdtemp(join(tmpdir(), 'cloud-browser-runtime-'));
after(() => rm(root, { recursive: true }));

describe('the directory of running sessions', () => {
  it('is named to the operator if it cannot be made', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    const path = join(file, 'sessions');
    await assert.rejects(prepareRuntimeDirectory(path, false), {
      code: 'err_runtime_dir',
      message: `${path} cannot be made (ENOTDIR: not a directory, mkdir '${path}'). Set RUNTIME_DIR to another directory.`,
    });
  });

  it('is private, and gets parents that the user ids of sessions can traverse', async () => {
    const path = join(root, 'one', 'two', 'run');
    // The umask of the service in deploy/cloud-browser.service.
    const umask = process.umask(0o077);
    try {
      await prepareRuntimeDirectory(path, false);
    } finally {
      process.umask(umask);
    }
    const traversable = [];
    for (const one of [path, join(root, 'one', 'two'), join(root, 'one')])
      traversable.push(((await stat(one)).mode & 0o001) !== 0);
    assert.deepEqual(traversable, [false, true, true]);
  });
});
