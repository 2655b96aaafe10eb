import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FileQuota } from '../../../../server/src/host/features/files/file-quota.js';
import { RECONNECT_MS } from '../../../../server/src/host/features/files/file-access.js';
import { CallError } from '../../../../server/src/host/room/calls/call-error.js';
import type { UploadTarget } from '../../../../server/src/host/features/files/uploads/upload.js';
import { Uploads, UPLOAD_STALL_MS } from '../../../../server/src/host/features/files/uploads/uploads.js';
import { FakePeople, type FakeViewer } from '../../../fakes/file-holder.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { shortWrites } from '../../../fakes/short-writes.js';

const INNER = '/run/session/uploads';

let directory: string;
let clock: ManualClock;
let people: FakePeople;
let viewer: FakeViewer;
let quota: FileQuota;
let uploads: Uploads;
let given: string[];
let abandoned: number;
let pageGone: () => void;
let target: UploadTarget;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'uploads-'));
  clock = new ManualClock();
  people = new FakePeople(clock);
  viewer = people.enter('ada', ['file_upload']);
  quota = new FileQuota({ perFile: 1_000, perSession: 2_500 });
  uploads = new Uploads(directory, INNER, quota, clock, () => Promise.resolve());
  [given, abandoned] = [[], 0];
  target = {
    directory: false,
    give: (paths) => Promise.resolve(void given.push(...paths)),
    abandon: () => void (abandoned += 1),
    over: new Promise<void>((resolve) => (pageGone = resolve)),
  };
});
afterEach(async () => {
  await uploads.close();
  assert.deepEqual(await readdir(directory), []);
  assert.deepEqual(await openFiles(), []);
  await rm(directory, { recursive: true });
});

/** Files below the directory that this process has open. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''));
  return (await Promise.all(paths)).filter((path) => path.startsWith(directory));
}

const holder = () => people.holder(viewer, 'file_upload');
const offer = (...files: { name: string; size: number; folder?: string }[]) =>
  uploads.offer(holder(), target, files);
function lookAfter(milliseconds: number): void {
  clock.advance(milliseconds);
  uploads.look();
}
/** An empty file that its page cannot accept. Resolves to the id of the failed upload. */
async function failedUpload(): Promise<string> {
  target.give = () => Promise.reject(new Error('gone'));
  const { id } = offer({ name: 'a', size: 0 });
  await assert.rejects(uploads.finish(id), /gone/);
  return id;
}
const bytes = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));
/** The file behind a path as the browser sees it. */
const content = (path: string) => readFile(path.replace(INNER, directory), 'utf8');

test('bytes that arrive in parts become a file for the page', async () => {
  const { id, tickets } = offer({ name: '../../x.txt', size: 6 });
  const [ticket = ''] = tickets;
  assert.deepEqual(await uploads.receive(ticket, 0, bytes('ab', 'cd')), { status: 200, received: 4 });
  await assert.rejects(uploads.finish(id), { code: 'err_invalid_parameter' });
  assert.deepEqual(await uploads.receive(ticket, 4, bytes('ef')), { status: 200, received: 6 });
  await uploads.finish(id);
  assert.deepEqual(given, [`${INNER}/${id}/0/x.txt`]);
  assert.equal(await content(given[0] ?? ''), 'abcdef');
  assert.deepEqual(await uploads.receive(ticket, 6, bytes('g')), { status: 404 });
});

test('a file is complete although the disk accepts only some bytes in one write', async (context) => {
  await shortWrites(context);
  const { id, tickets } = offer({ name: 'x.txt', size: 5 });
  assert.deepEqual(await uploads.receive(tickets[0] ?? '', 0, bytes('abcde')), { status: 200, received: 5 });
  await uploads.finish(id);
  assert.equal(await content(given[0] ?? ''), 'abcde');
});

test('a file is open only while a request sends its bytes', async () => {
  const { id, tickets } = offer({ name: 'a', size: 3 }, { name: 'b', size: 6 }, { name: 'c', size: 0 });
  const [whole = '', part = '', empty = ''] = tickets;
  await uploads.receive(whole, 0, bytes('abc'));
  await uploads.receive(part, 0, bytes('abc'));
  await uploads.receive(empty, 0, bytes());
  assert.deepEqual(await openFiles(), []);
  await uploads.receive(part, 3, bytes('def'));
  await uploads.finish(id);
  assert.deepEqual(await Promise.all(given.map(content)), ['abc', 'abcdef', '']);
});

test('bytes at another offset are refused, and the sender receives the right offset', async () => {
  const [ticket = ''] = offer({ name: 'a', size: 6 }).tickets;
  await uploads.receive(ticket, 0, bytes('abc'));
  for (const offset of [0, 2, 4, 6])
    assert.deepEqual(await uploads.receive(ticket, offset, bytes('x')), { status: 409, received: 3 });
});

test('a later request ends an earlier one for the same file, whose network is gone', async () => {
  const { id, tickets } = offer({ name: 'x.txt', size: 6 });
  const [ticket = ''] = tickets;
  const send = (at: number) => uploads.receive(ticket, at, bytes('abcdef'.slice(at)));
  const lost = new PassThrough();
  const first = uploads.receive(ticket, 0, lost);
  lost.write('abc');
  let answer = await send(0);
  if (answer.status === 409) answer = await send(answer.received);
  assert.deepEqual(answer, { status: 200, received: 6 });
  assert.ok(lost.destroyed);
  assert.equal((await first).status, 409);
  await uploads.finish(id);
  assert.equal(await content(given[0] ?? ''), 'abcdef');
});

test('more bytes than announced are refused', async () => {
  const [ticket = ''] = offer({ name: 'a', size: 3 }).tickets;
  assert.deepEqual(await uploads.receive(ticket, 0, bytes('abcd')), { status: 413 });
});

test('an unknown ticket is refused', async () => {
  offer({ name: 'a', size: 3 });
  assert.deepEqual(await uploads.receive('x'.repeat(43), 0, bytes('abc')), { status: 404 });
});

test('files in folders, empty files and files with the same name stay separate', async () => {
  const folder = 'photos/..';
  const file = { name: 'a', size: 0 };
  const { id } = offer({ ...file, folder }, { ...file, folder }, file, file);
  await uploads.finish(id);
  const root = `${INNER}/${id}`;
  assert.deepEqual(given, [`${root}/tree/photos`, `${root}/2/a`, `${root}/3/a`]);
  assert.deepEqual((await readdir(join(directory, id, 'tree/photos/_'))).sort(), ['1 a', 'a']);
});

test('a file does not get the name that another file of its folder has already', async () => {
  const folder = 'photos';
  const names = ['2 a', 'a', 'a'];
  const { id, tickets } = offer(...names.map((name) => ({ name, size: 1, folder })));
  for (const ticket of tickets)
    assert.deepEqual(await uploads.receive(ticket, 0, bytes('x')), { status: 200, received: 1 });
  await uploads.finish(id);
  assert.deepEqual((await readdir(join(directory, id, 'tree/photos'))).sort(), ['2 2 a', '2 a', 'a']);
});

test('a folder field receives one folder, also from browsers that name none', async () => {
  target.directory = true;
  const { id } = offer({ name: 'a', size: 0 }, { name: 'b', size: 0 });
  await uploads.finish(id);
  assert.deepEqual(given, [`${INNER}/${id}/tree/files`]);
});

test('files above the limits of file or session are refused before any byte is sent', () => {
  assert.throws(() => offer({ name: 'a', size: 1_001 }), { code: 'err_file_too_large' });
  offer({ name: 'a', size: 1_000 }, { name: 'b', size: 1_000 });
  assert.throws(() => offer({ name: 'c', size: 501 }), { code: 'err_file_quota' });
  offer({ name: 'c', size: 500 });
});

test('space is freed when the page with the files is closed', async () => {
  const { id, tickets } = offer({ name: 'a', size: 1_000 }, { name: 'b', size: 1_000 });
  for (const ticket of tickets) await uploads.receive(ticket, 0, bytes('x'.repeat(1_000)));
  await uploads.finish(id);
  assert.throws(() => offer({ name: 'c', size: 1_000 }), { code: 'err_file_quota' });
  pageGone();
  while (quota.left < 2_500) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await readdir(directory), []);
  offer({ name: 'c', size: 1_000 });
});

test('a stalled upload is cancelled, and the page is notified', async () => {
  const { id, tickets } = offer({ name: 'a', size: 10 });
  const [ticket = ''] = tickets;
  const stalled = new PassThrough();
  const receiving = uploads.receive(ticket, 0, stalled);
  lookAfter(UPLOAD_STALL_MS - 1);
  assert.equal(abandoned, 0);
  lookAfter(1);
  assert.equal(abandoned, 1);
  await receiving;
  assert.ok(stalled.destroyed);
  await assert.rejects(uploads.finish(id), { code: 'err_upload_gone' });
});

test('an upload is cancelled when its user leaves or loses the role', async () => {
  offer({ name: 'a', size: 10 });
  people.here.delete('ada');
  uploads.look();
  lookAfter(RECONNECT_MS - 1);
  assert.equal(abandoned, 0);
  lookAfter(1);
  assert.equal(abandoned, 1);

  people.here.set('ada', viewer);
  const [ticket = ''] = offer({ name: 'a', size: 10 }).tickets;
  viewer.rights.roles.clear();
  assert.deepEqual(await uploads.receive(ticket, 0, bytes('abc')), { status: 403 });
  uploads.look();
  assert.equal(abandoned, 2);
});

test('an upload waits for a user whose client needs a minute to connect again', async () => {
  const { id, tickets } = offer({ name: 'a', size: 6 });
  const [ticket = ''] = tickets;
  await uploads.receive(ticket, 0, bytes('abc'));
  // The host notices the loss late, and the last attempt of the client begins after a minute.
  lookAfter(8_000);
  people.here.delete('ada');
  for (let second = 0; second < 62; second++) lookAfter(1_000);
  people.here.set('ada', viewer);
  assert.deepEqual(await uploads.receive(ticket, 3, bytes('def')), { status: 200, received: 6 });
  await uploads.finish(id);
  assert.deepEqual([given.length, abandoned], [1, 0]);
});

test('an upload is cancelled when its user loses the role while away', async () => {
  const [ticket = ''] = offer({ name: 'a', size: 10 }).tickets;
  people.here.delete('ada');
  viewer.rights.roles.clear();
  assert.deepEqual(await uploads.receive(ticket, 0, bytes('abc')), { status: 403 });
  uploads.look();
  assert.equal(abandoned, 1);
});

test('the owner of an upload acts on the newest connection at once', () => {
  const owner = holder();
  const next = people.enter('ada', ['file_upload']);
  next.user = viewer.user;
  assert.equal(owner.connection, next);
});

test('a user who was disconnected cannot continue an upload', () => {
  offer({ name: 'a', size: 10 });
  people.here.delete('ada');
  viewer.sentAway = true;
  uploads.look();
  assert.equal(abandoned, 1);
});

test('a page gets an upload once, although the client finishes it again after a lost answer', async () => {
  const { id } = offer({ name: 'a', size: 0 });
  await Promise.all([uploads.finish(id), uploads.finish(id)]);
  await uploads.finish(id);
  assert.deepEqual([given.length, abandoned], [1, 0]);
  assert.equal(uploads.finishedBy(id), viewer.user);
  pageGone();
  await new Promise(setImmediate);
  await assert.rejects(uploads.finish(id), { code: 'err_upload_gone' });
});

test('a page that cannot accept the files leaves none on the disk', async () => {
  await failedUpload();
  await uploads.close();
  assert.deepEqual(await readdir(directory), []);
});

test('a repeated call fails as the first call did, although its answer was lost', async () => {
  target.give = () => Promise.reject(new CallError('err_chooser_gone', 'Nobody waits.'));
  const { id } = offer({ name: 'a', size: 0 });
  await assert.rejects(uploads.finish(id), { code: 'err_chooser_gone' });
  await assert.rejects(uploads.finish(id), { code: 'err_chooser_gone' });
});

test('the session remembers only the latest failed uploads', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 33; count++) ids.push(await failedUpload());
  const known = ids.filter((id) => uploads.finishedBy(id) !== undefined);
  assert.deepEqual(known, ids.slice(1));
});

/** Replaces the user's connection, and returns the old one if it is still in memory. */
function disconnect(): WeakRef<FakeViewer> {
  const connection = new WeakRef(viewer);
  people.here.clear();
  viewer = people.enter('grace', []);
  return connection;
}

test('a failed upload does not keep the connection of its user in memory', async () => {
  const id = await failedUpload();
  const { user } = viewer;
  const connection = disconnect();
  // Waits until the files are removed.
  await uploads.close();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 10 && connection.deref(); round++) {
    await new Promise(setImmediate);
    collect();
  }
  assert.equal(connection.deref(), undefined);
  assert.equal(uploads.finishedBy(id), user);
});

test('a page is notified if its complete files cannot be written', async () => {
  const { id } = offer({ name: 'a', size: 0 });
  // The upload's directory cannot be created, because a file has its name.
  await writeFile(join(directory, id), '');
  await assert.rejects(uploads.finish(id), { code: 'ENOTDIR' });
  assert.deepEqual([given, abandoned], [[], 1]);
});
