import assert from 'node:assert/strict';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import { readPipe } from '../../../../server/src/host/audio/sound-card.js';
import {
  emptyDirectory,
  readBytesInside,
  readInside,
  writeInside,
} from '../../../../server/src/platform/files/inside.js';

/** Size of the largest file that is read. */
const LARGEST = 16 * 1024 * 1024;

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

/** Changes a file to this size directly after its size was checked. */
async function resizeAfterCheck(test: TestContext, path: string, size: number): Promise<void> {
  const file = await open(path);
  const handles = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const check = Object.getOwnPropertyDescriptor(handles, 'stat')?.value as FileHandle['stat'];
  test.mock.method(handles, 'stat', async function (this: FileHandle) {
    const found = await check.call(this);
    await truncate(path, size);
    return found;
  });
}

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

  it('has no file above the limit that is read', async () => {
    const path = join(root, 'large');
    await writeFile(path, '');
    await truncate(path, LARGEST);
    assert.equal((await readBytesInside(root, 'large'))?.length, LARGEST);
    await truncate(path, LARGEST + 1);
    assert.equal((await readBytesInside(root, 'large'))?.length, undefined);
  });

  it('has no file of which more is read than was checked', async (test) => {
    const path = join(root, 'file');
    await writeFile(path, 'small');
    await resizeAfterCheck(test, path, LARGEST + 1);
    assert.equal((await readBytesInside(root, 'file'))?.length, 5);
  });

  it('can have a file that becomes shorter while it is read', async (test) => {
    const path = join(root, 'file');
    await writeFile(path, 'large');
    await resizeAfterCheck(test, path, 1);
    assert.equal(await readInside(root, 'file'), 'l');
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
