import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, test } from 'node:test';
import { FileQuota } from '../../../../server/src/host/features/files/file-quota.js';
import { KEPT_MS, KeptFiles } from '../../../../server/src/host/features/files/uploads/kept-files.js';
import { Uploads, UPLOAD_STALL_MS } from '../../../../server/src/host/features/files/uploads/uploads.js';
import type { ActingAgent } from '../../../../server/src/host/room/calls/access.js';
import { until } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const INNER = '/run/session/uploads';
const SIZE = 2_500;

let directory: string;
let clock: ManualClock;
let quota: FileQuota;
let uploads: Uploads;
let kept: KeptFiles;
let roles: Set<string>;
let acting: ActingAgent;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kept-files-'));
  clock = new ManualClock();
  quota = new FileQuota({ perFile: 1_000, perSession: SIZE });
  uploads = new Uploads(directory, INNER, quota, clock, () => Promise.resolve());
  kept = new KeptFiles(uploads, clock);
  roles = new Set(['file_upload']);
  const rights = { permissions: { control_disabled: false }, roles, tied: new Set() };
  const agent = { id: 'agent', canRead: true, admin: false, shutOut: false, rights };
  acting = { agent, stay: () => () => undefined } as unknown as ActingAgent;
});
afterEach(async () => {
  await uploads.close();
  assert.deepEqual(await readdir(directory), []);
  await rm(directory, { recursive: true });
});

const send = async (name: string, content: string, size = content.length) => {
  const { id, tickets } = kept.offer(acting, { name, size });
  const received = await uploads.receive(tickets[0] ?? '', 0, Readable.from([Buffer.from(content)]));
  return { id, status: received.status };
};
const keep = async (name: string, content: string) => {
  const { id } = await send(name, content);
  await kept.keep(id);
  return id;
};

test('a file of a program is kept under a safe name', async () => {
  const path = kept.pathOf(await keep('../../etc/a.txt', 'abc')) ?? '';
  assert.match(path, /^\/run\/session\/uploads\/[\w-]+\/0\/a\.txt$/);
  assert.equal(await readFile(path.replace(INNER, directory), 'utf8'), 'abc');
});

test('a file that no page has is removed after a quarter of an hour', async () => {
  const id = await keep('a', 'abc');
  clock.advance(KEPT_MS - 1);
  kept.look();
  assert.ok(kept.pathOf(id));
  clock.advance(1);
  kept.look();
  assert.deepEqual([kept.pathOf(id), kept.any], [undefined, false]);
  await until(() => quota.left === SIZE);
});

test('a file that a program names for a field stays while the page is open', async () => {
  const id = await keep('a', 'abc');
  let end: () => void = () => undefined;
  assert.equal(kept.giveTo(new Promise<void>((resolve) => (end = resolve)), id), kept.pathOf(id));
  assert.equal(kept.giveTo(undefined, 'unknown'), undefined);
  clock.advance(2 * KEPT_MS);
  kept.look();
  assert.ok(kept.pathOf(id));
  end();
  await Promise.resolve();
  kept.look();
  assert.equal(kept.pathOf(id), undefined);
});

test('a file stays until all pages that have it have ended', async () => {
  const id = await keep('a', 'abc');
  const ends: (() => void)[] = [];
  for (let page = 0; page < 2; page++) kept.usedBy(id, new Promise<void>((resolve) => ends.push(resolve)));
  clock.advance(2 * KEPT_MS);
  for (const end of ends) {
    kept.look();
    assert.ok(kept.pathOf(id));
    end();
    await Promise.resolve();
  }
  kept.look();
  assert.equal(kept.pathOf(id), undefined);
});

test('a file whose bytes do not come is cancelled', async () => {
  const { id } = kept.offer(acting, { name: 'a', size: 3 });
  clock.advance(UPLOAD_STALL_MS);
  uploads.look();
  assert.equal(kept.any, false);
  await assert.rejects(kept.keep(id), { code: 'err_upload_gone' });
  await until(() => quota.left === SIZE);
});

test('programs have at most 12 incomplete files, so that people can upload', async () => {
  for (let file = 1; file < 12; file++) kept.offer(acting, { name: 'a', size: 1 });
  const { id } = await send('a', 'x');
  const next = () => kept.offer(acting, { name: 'a', size: 1 });
  assert.throws(next, { code: 'err_file_quota', message: /At most 12 .* Wait for some to finish/ });
  await kept.keep(id);
  next();
});

test('an incomplete file is not kept', async () => {
  const { id } = await send('a', 'ab', 3);
  await assert.rejects(kept.keep(id), { code: 'err_invalid_parameter' });
  assert.equal(kept.any, false);
  assert.throws(() => kept.discard(id), { code: 'err_upload_gone' });
});

test('a complete file is kept when the program repeats its request', async () => {
  const { id } = await send('a', 'abc');
  await Promise.all([kept.keep(id), kept.keep(id)]);
  await kept.keep(id);
  assert.equal(await readFile((kept.pathOf(id) ?? '').replace(INNER, directory), 'utf8'), 'abc');
});

test('a file that is removed while it is completed takes no room', async () => {
  const { id } = await send('a', 'abc');
  const keeping = kept.keep(id);
  kept.discard(id);
  await keeping;
  await until(() => quota.left === SIZE);
});

test('a file that cannot be written is removed, and the reason is the error', async () => {
  const { id } = kept.offer(acting, { name: 'a', size: 0 });
  await writeFile(join(directory, id), '');
  await assert.rejects(kept.keep(id), { code: 'ENOTDIR' });
  assert.equal(kept.any, false);
});

test('a program without the role can send no bytes', async () => {
  roles.clear();
  assert.equal((await send('a', 'abc')).status, 403);
  uploads.look();
  assert.equal(kept.any, false);
});

test('files have the limits of uploads, and a removed file makes room', async () => {
  assert.throws(() => kept.offer(acting, { name: 'a', size: 1_001 }), { code: 'err_file_too_large' });
  const ids = [await keep('a', 'x'.repeat(1_000)), await keep('b', 'x'.repeat(1_000))];
  const third = () => kept.offer(acting, { name: 'c', size: 1_000 });
  assert.throws(third, { code: 'err_file_quota' });
  kept.discard(ids[0] ?? '');
  await until(() => quota.left > 1_000);
  third();
});

test('a session keeps at most 256 files, also empty ones', async () => {
  for (let file = 0; file < 256; file++) await keep('a', '');
  assert.throws(() => kept.offer(acting, { name: 'a', size: 0 }), { code: 'err_file_quota' });
});
