import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeDirectory } from '../../../../server/src/platform/files/make-directory.js';
import { copyForAll, prepareRuntimeDirectory } from '../../../../server/src/pool/runtime-directory.js';

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

  it('is refused if its path is too long for sockets', async () => {
    const long = join(root, 'é'.repeat(45));
    await assert.rejects(prepareRuntimeDirectory(long, false), {
      code: 'err_runtime_dir',
      message: /has more than 88 bytes.+ Set RUNTIME_DIR to another directory\.$/,
    });
  });

  it('keeps the group that its parent gives to new directories', async () => {
    const parent = join(root, 'shared');
    await mkdir(parent);
    await chmod(parent, 0o2755);
    await makeDirectory(join(parent, 'one', 'two'));
    for (const path of ['one', 'one/two'])
      assert.equal((await stat(join(parent, path))).mode & 0o2000, 0o2000, path);
    assert.equal((await stat(join(parent, 'one', 'two'))).mode & 0o777, 0o700);
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

describe('the copy of the extensions', () => {
  it('is readable for all users, even if only the owner can read the installed ones', async () => {
    const [source, target] = [join(root, 'installed'), join(root, 'copy')];
    await mkdir(join(source, 'bridge'), { recursive: true, mode: 0o700 });
    await writeFile(join(source, 'bridge', 'manifest.json'), '{}', { mode: 0o600 });
    await copyForAll(source, target);
    const modes = [];
    for (const path of [target, join(target, 'bridge'), join(target, 'bridge', 'manifest.json')])
      modes.push((await stat(path)).mode & 0o777);
    assert.deepEqual(modes, [0o755, 0o755, 0o644]);
  });
});
