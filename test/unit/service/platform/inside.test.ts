import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readPipe } from '../../../../server/src/host/audio/sound-card.js';
import { emptyDirectory, readInside, writeInside } from '../../../../server/src/platform/files/inside.js';

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

describe('a directory that a hostile process may have written to', () => {
  it('can be read and written, also several levels deep', async () => {
    await writeInside(root, 'a/b/c', 'one');
    await writeInside(root, 'a/b/c', 'two');
    assert.equal(await readInside(root, 'a/b/c'), 'two');
    assert.equal((await stat(join(root, 'a/b/c'))).mode & 0o777, 0o600);
    assert.equal(await readInside(root, 'a/b/missing'), undefined);
    assert.equal(await readInside(root, 'missing/c'), undefined);
  });

  it('is not left through its links, for reads or writes', async () => {
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

  it('is refused if it is a link', async () => {
    await symlink(outside, join(root, 'link'));
    assert.equal(await readInside(join(root, 'link'), 'file'), undefined);
    await assert.rejects(writeInside(join(root, 'link'), 'file', 'ours'));
  });

  it('can be created again, without changes to the targets of its links', async () => {
    const path = join(root, 'home');
    await symlink(outside, path);
    await emptyDirectory(path);
    await mkdir(join(path, 'sub'));
    await symlink(outside, join(path, 'sub', 'link'));
    await emptyDirectory(path);
    assert.deepEqual(await readdir(path), []);
    assert.deepEqual(await readdir(outside), ['file']);
  });

  it('has no sound pipe that is a link to a file', () => {
    assert.throws(() => readPipe(join(outside, 'missing')), { code: 'ENOENT' });
    return symlink(join(outside, 'file'), join(root, 'samples')).then(() =>
      assert.throws(() => readPipe(join(root, 'samples')), { code: 'ELOOP' }),
    );
  });
});
