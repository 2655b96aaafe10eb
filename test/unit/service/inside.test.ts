import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readPipe } from '../../../server/src/host/audio/sound-card.js';
import { emptyDirectory, readInside, writeInside } from '../../../server/src/platform/files/inside.js';

let root: string;
let outside: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'inside-'));
  outside = await mkdtemp(join(tmpdir(), 'inside-outside-'));
  await writeFile(join(outside, 'file'), 'secret');
});
afterEach(async () => {
  await rm(root, { recursive: true });
  await rm(outside, { recursive: true });
});

describe('a directory in which somebody hostile may have written', () => {
  it('is read and written, also several directories deep', async () => {
    await writeInside(root, 'a/b/c', 'one');
    await writeInside(root, 'a/b/c', 'two');
    assert.equal(await readInside(root, 'a/b/c'), 'two');
    assert.equal((await stat(join(root, 'a/b/c'))).mode & 0o777, 0o600);
    assert.equal(await readInside(root, 'a/b/missing'), undefined);
    assert.equal(await readInside(root, 'missing/c'), undefined);
  });

  it('leads nowhere else by its links, neither reading nor writing', async () => {
    await symlink(outside, join(root, 'directory'));
    await symlink(join(outside, 'file'), join(root, 'link'));
    for (const path of ['directory/file', 'link']) {
      assert.equal(await readInside(root, path), undefined);
      await writeInside(root, path, 'ours');
      assert.equal(await readInside(root, path), 'ours');
    }
    assert.deepEqual(await readdir(outside), ['file']);
    assert.equal(await readFile(join(outside, 'file'), 'utf8'), 'secret');
  });

  it('is itself no link', async () => {
    await symlink(outside, join(root, 'link'));
    assert.equal(await readInside(join(root, 'link'), 'file'), undefined);
    await assert.rejects(writeInside(join(root, 'link'), 'file', 'ours'));
  });

  it('can be made anew, and what its links lead to stays', async () => {
    const path = join(root, 'home');
    await symlink(outside, path);
    await emptyDirectory(path);
    await mkdir(join(path, 'sub'));
    await symlink(outside, join(path, 'sub', 'link'));
    await emptyDirectory(path);
    assert.deepEqual(await readdir(path), []);
    assert.deepEqual(await readdir(outside), ['file']);
  });

  it('has no pipe of sound that is a link to a file', () => {
    assert.throws(() => readPipe(join(outside, 'missing')), { code: 'ENOENT' });
    return symlink(join(outside, 'file'), join(root, 'samples')).then(() =>
      assert.throws(() => readPipe(join(root, 'samples')), { code: 'ELOOP' }),
    );
  });
});
