import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { Download } from 'cloud-browser/protocol';
import {
  DOWNLOAD_STALL_MS,
  Downloads,
  TICKET_MS,
  type OpenedDownload,
} from '../../../../server/src/host/features/files/downloads/downloads.js';
import { FileQuota } from '../../../../server/src/host/features/files/file-quota.js';
import { FakePeople, type FakeViewer } from '../../../fakes/file-holder.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let place: string;
let clock: ManualClock;
let people: FakePeople;
let viewer: FakeViewer;
let downloads: Downloads;
let news: Download[];
let givenUp: string[];

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'downloads-'));
  await mkdir(join(place, 'down'));
  clock = new ManualClock();
  people = new FakePeople(clock);
  viewer = people.enter('ada', ['file_download']);
  [news, givenUp] = [[], []];
  downloads = new Downloads(
    place,
    new FileQuota({ perFile: 100, perSession: 250 }),
    clock,
    { onDownload: (download) => void news.push(download), onRemoved: () => undefined },
    (id) => void givenUp.push(id),
  );
});
afterEach(async () => {
  await downloads.close();
  await rm(place, { recursive: true });
});

const begin = (id: string, name = id, isCaused = false) =>
  downloads.begin(id, name, 'download', `down/${id}`, isCaused);
const holder = () => people.holder(viewer, 'file_download');
async function done(id: string, bytes = 'abc'): Promise<void> {
  begin(id);
  await writeFile(join(place, 'down', id), bytes);
  downloads.ended(id, bytes.length);
}

test('a download is reported with name, size and progress until it ends', async () => {
  begin('1', '../a.txt');
  downloads.progress('1', 10, 30);
  await writeFile(join(place, 'down', '1'), 'x'.repeat(30));
  downloads.ended('1', 30);
  const told = { id: '1', name: 'a.txt', kind: 'download' };
  assert.deepEqual(news, [
    { ...told, size: null, received: 0, state: 'running' },
    { ...told, size: 30, received: 10, state: 'running' },
    { ...told, size: 30, received: 30, state: 'done' },
  ]);
});

async function openedBy(ticket: string): Promise<OpenedDownload> {
  const opened = await downloads.open(ticket);
  return typeof opened === 'object' ? opened : assert.fail(`It is ${opened}.`);
}

test('progress is reported at most four times a second', () => {
  begin('1');
  for (let bytes = 1; bytes <= 100; bytes++) downloads.progress('1', bytes, 100);
  assert.equal(news.length, 2);
  clock.advance(250);
  assert.equal(news.at(-1)?.received, 100);
});

test('a ticket opens its download for a minute, any number of times', async () => {
  await done('1');
  const ticket = downloads.ticket('1', holder());
  for (let time = 0; time < 2; time++) {
    const opened = await openedBy(ticket);
    assert.deepEqual([opened.name, opened.size], ['1', 3]);
    await opened.file.close();
  }
  clock.advance(TICKET_MS);
  assert.equal(await downloads.open(ticket), undefined);
});

test('tickets that nobody uses are forgotten', async () => {
  await done('1');
  for (let count = 0; count < 100; count++) downloads.ticket('1', holder());
  clock.advance(TICKET_MS);
  downloads.ticket('1', holder());
  assert.equal(downloads.ticketCount, 1);
});

test('a ticket is refused after its user has lost the role, and when it is invented', async () => {
  await done('1');
  const ticket = downloads.ticket('1', holder());
  assert.equal(await downloads.open('x'.repeat(43)), undefined);
  viewer.rights.roles.clear();
  assert.equal(await downloads.open(ticket), 'forbidden');
});

test('a link that a hostile browser puts in place of a download is not followed', async () => {
  await done('1');
  await rm(join(place, 'down', '1'));
  await symlink('/etc/passwd', join(place, 'down', '1'));
  assert.equal(await downloads.open(downloads.ticket('1', holder())), undefined);
  await rm(join(place, 'down'), { recursive: true });
  await symlink('/etc', join(place, 'down'));
  begin('passwd');
  downloads.ended('passwd', 3);
  assert.equal(await downloads.open(downloads.ticket('passwd', holder())), undefined);
});

test('a file that has grown is sent up to the maximum file size', async () => {
  await done('1');
  await writeFile(join(place, 'down', '1'), 'x'.repeat(1_000));
  const opened = await openedBy(downloads.ticket('1', holder()));
  assert.equal(opened.size, 100);
  await opened.file.close();
});

test('a download above the file or session limit is cancelled and reported', () => {
  begin('1');
  assert.equal(downloads.progress('1', 0, 101), false);
  assert.equal(news.at(-1)?.failure, 'too-large');
  for (const id of ['2', '3']) {
    begin(id);
    downloads.progress(id, 100, null);
  }
  begin('4');
  downloads.progress('4', 51, null);
  assert.deepEqual([news.at(-1)?.id, news.at(-1)?.failure], ['4', 'quota']);
  assert.deepEqual(givenUp, ['1', '4']);
});

test('a download that never ends is cancelled', () => {
  begin('1');
  downloads.progress('1', 1, null);
  clock.advance(DOWNLOAD_STALL_MS - 1);
  downloads.look();
  assert.ok(downloads.running);
  clock.advance(1);
  downloads.look();
  assert.deepEqual([news.at(-1)?.state, news.at(-1)?.failure, givenUp], ['failed', 'stalled', ['1']]);
});

test('a cancelled download stays cancelled, whatever the browser reports later', async () => {
  begin('1');
  assert.ok(downloads.cancel('1'));
  downloads.progress('1', 5, 5);
  downloads.ended('1', 5);
  assert.deepEqual(
    downloads.list().map(({ state }) => state),
    ['cancelled'],
  );
  assert.equal(downloads.cancel('2'), false);
  assert.throws(() => downloads.ticket('1', holder()), { code: 'err_download_gone' });
  await done('3');
  downloads.remove('3');
  assert.throws(() => downloads.remove('3'), { code: 'err_download_gone' });
});

test('downloads in progress end with the browser', () => {
  begin('1');
  downloads.browserIsGone();
  assert.equal(news.at(-1)?.failure, 'interrupted');
});

test('the downloads of a flooding page are limited to what the session keeps', () => {
  let begun = 0;
  for (let id = 0; id < 1_000; id++) if (begin(`${id}`)) begun += 1;
  assert.equal(begun, 32);
  assert.equal(downloads.list().length, 32);
});

test('a download that a user caused gets a place in a list that a page has filled', () => {
  for (let count = 0; count < 256; count++) {
    assert.ok(begin(`${count}`, `${count}`, count === 0));
    downloads.ended(`${count}`, 0);
  }
  assert.equal(begin('page'), false);
  assert.ok(begin('user', 'user', true));
  const ids = downloads.list().map(({ id }) => id);
  assert.deepEqual([ids.length, ids[0], ids[1], ids.at(-1)], [256, '0', '2', 'user']);
});

test('a download that a user caused ends one of the page if too many run', () => {
  for (let count = 0; count < 32; count++) assert.ok(begin(`${count}`, `${count}`, count === 0));
  assert.equal(begin('page'), false);
  assert.ok(begin('user', 'user', true));
  assert.deepEqual([givenUp, news.at(-2)?.failure], [['1'], 'interrupted']);
});

test('a download that a user caused replaces none that users caused', () => {
  for (let count = 0; count < 32; count++) assert.ok(begin(`${count}`, `${count}`, true));
  assert.equal(begin('user', 'user', true), false);
});

test('no files remain on the disk after the session', async () => {
  await done('1');
  begin('2');
  await writeFile(join(place, 'down', '2'), 'part');
  await downloads.close();
  assert.deepEqual(await readdir(join(place, 'down')), []);
});
