import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { DownloadedFile } from '../../../../server/src/host/features/files/downloads/downloads.js';
import { FileQuota } from '../../../../server/src/host/features/files/file-quota.js';
import { FileCopies } from '../../../../server/src/host/features/files/uploads/file-copies.js';
import { shortWrites } from '../../../fakes/short-writes.js';

let place: string;
let quota: FileQuota;
let copies: FileCopies;
let reads: number;
/** Size that the download has said, when its file is shorter. */
let size: number | undefined;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'copies-'));
  await mkdir(join(place, 'copies'));
  [reads, size] = [0, undefined];
  quota = new FileQuota({ perFile: 100, perSession: 10 });
  const read = async (id: string): Promise<DownloadedFile> => {
    reads += 1;
    const file = await open(join(place, id));
    return { file, name: 'report.txt', size: size ?? (await file.stat()).size };
  };
  copies = new FileCopies(join(place, 'copies'), '/inner', quota, { read }, () => Promise.resolve());
});
afterEach(() => rm(place, { recursive: true }));

const outer = (inner: string) => join(place, 'copies', inner.slice('/inner/'.length));

test('a download has one copy, under the name that its page offered', async () => {
  await writeFile(join(place, 'a'), 'content');
  const [one, other] = await Promise.all([copies.pathOf('a'), copies.pathOf('a')]);
  assert.equal(one, other);
  assert.match(one, /^\/inner\/[0-9a-f-]{36}\/report\.txt$/);
  assert.equal(await readFile(outer(one), 'utf8'), 'content');
  assert.deepEqual([reads, quota.left], [1, 3]);
});

test('a copy is complete although the disk accepts only some bytes in one write', async (context) => {
  await writeFile(join(place, 'a'), 'content');
  await shortWrites(context);
  assert.equal(await readFile(outer(await copies.pathOf('a')), 'utf8'), 'content');
});

test('a copy that has no room is refused, and can be requested again', async () => {
  await writeFile(join(place, 'a'), 'x'.repeat(11));
  await assert.rejects(copies.pathOf('a'), { code: 'err_file_quota' });
  await writeFile(join(place, 'a'), 'short');
  assert.match(await copies.pathOf('a'), /report/);
});

test('a file that is missing or shorter than announced costs nothing', async () => {
  await assert.rejects(copies.pathOf('missing'), { code: 'ENOENT' });
  size = 8;
  await writeFile(join(place, 'a'), 'abc');
  assert.equal(await readFile(outer(await copies.pathOf('a')), 'utf8'), 'abc');
});

test('a copy is removed with its download, and gives its room back', async () => {
  await writeFile(join(place, 'a'), 'content');
  await copies.pathOf('a');
  await Promise.all([copies.remove('a'), copies.remove('a')]);
  assert.deepEqual([await readdir(join(place, 'copies')), quota.left], [[], 10]);
});
