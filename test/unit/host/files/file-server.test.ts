import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FileServer, TRANSFER_STALL_MS } from '../../../../server/src/host/features/files/file-server.js';
import type { OpenedDownload } from '../../../../server/src/host/features/files/downloads/downloads.js';
import type { Reception } from '../../../../server/src/host/features/files/uploads/uploads.js';
import { HostFiles } from '../../../../server/src/pool/host/host-files.js';
import { until } from '../../../fakes/fake-room.js';
import { FakePeople } from '../../../fakes/file-holder.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const TICKET = 't'.repeat(43);
const LARGE = 8 * 2 ** 20;

let directory: string;
let clock: ManualClock;
let people: FakePeople;
let server: FileServer;
let files: HostFiles;
let channel: Socket;
let opened: OpenedDownload | undefined;
let receive: (ticket: string, offset: number, body: AsyncIterable<Buffer>) => Promise<Reception>;
let passed: number;
let written = 0;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'file-server-'));
  clock = new ManualClock();
  people = new FakePeople(clock);
  opened = undefined;
  passed = 0;
  receive = () => Promise.resolve({ status: 404 });
  const uploads = { receive: (...args: Parameters<typeof receive>) => receive(...args) };
  const pace = { pass: (bytes: number) => Promise.resolve(void (passed += bytes)) };
  server = new FileServer(uploads, { open: () => Promise.resolve(opened) }, pace, clock, () => undefined);
  const listener = createServer((socket) => server.serve(socket)).listen(join(directory, 'channel'));
  await once(listener, 'listening');
  channel = connect(join(directory, 'channel'));
  await once(channel, 'connect');
  listener.close();
  files = new HostFiles(channel);
});
afterEach(async () => {
  files.close();
  server.close();
  await rm(directory, { recursive: true });
});

/** A file that a user fetches, or a program with a holder of its own. */
async function download(bytes: number, holder?: OpenedDownload['holder']): Promise<void> {
  // An earlier transfer may still read its file.
  const path = join(directory, `file ${++written}`);
  await writeFile(path, Buffer.alloc(bytes, 1));
  const viewer = people.enter('ada', ['file_download']);
  const ofUser = people.holder(viewer, 'file_download');
  opened = { file: await open(path), name: 'ü.bin', size: bytes, holder: holder ?? ofUser };
}
const get = () => files.ask({ method: 'GET', ticket: TICKET, offset: 0 });
const post = (offset: number, body: Readable) => files.ask({ method: 'POST', ticket: TICKET, offset, body });

test('a download is sent completely, with name and size', async () => {
  await download(LARGE);
  const answer = await get();
  assert.deepEqual([answer.status, answer.length, answer.name], [200, LARGE, '%C3%BC.bin']);
  let bytes = 0;
  for await (const part of answer.body) bytes += (part as Buffer).length;
  assert.equal(bytes, LARGE);
});

test('a download is read at the speed of its client', async () => {
  await download(LARGE);
  const { body } = await get();
  // All buffers are full when no more data passes in many turns.
  let [last, turns] = [-1, 0];
  while (turns++ < 500) {
    if (passed !== last) [last, turns] = [passed, 0];
    await turn();
  }
  assert.ok(passed < 2 ** 20, `${passed} bytes were read`);
  body.destroy();
});

test('a download is abandoned if its client reads nothing', async () => {
  await download(LARGE);
  const { body } = await get();
  await until(() => server.busy);
  clock.advance(TRANSFER_STALL_MS);
  body.on('error', () => undefined);
  server.look();
  await once(body.resume(), 'close');
  await until(() => !server.busy);
});

test('a download ends when its user loses the role or leaves', async () => {
  await download(LARGE);
  const { body } = await get();
  body.on('error', () => undefined);
  await until(() => server.busy);
  people.here.get('ada')?.rights.roles.clear();
  server.look();
  await once(body.resume(), 'close');

  await download(LARGE);
  const second = await get();
  second.body.destroy();
  await until(() => !server.busy);
});

test('an agent that fetches a download stays until its transfer has ended', async () => {
  const stays: string[] = [];
  const begin = () => {
    stays.push('began');
    return () => void stays.push('ended');
  };
  await download(LARGE, { may: true, begin });
  const { body } = await get();
  assert.deepEqual(stays, ['began']);
  body.destroy();
  await until(() => !server.busy);
  assert.deepEqual(stays, ['began', 'ended']);
});

test('programs that fetch slowly leave room for the transfers of people', async () => {
  const holder = { may: true, begin: () => () => undefined };
  const bodies: Readable[] = [];
  const statusOf = async () => {
    const { status, body } = await get();
    bodies.push(body.on('error', () => undefined));
    return status;
  };
  const statuses: number[] = [];
  for (let count = 0; count < 14; count++) {
    await download(LARGE, holder);
    statuses.push(await statusOf());
  }
  assert.deepEqual(statuses.slice(11), [200, 429, 429]);
  await download(LARGE);
  assert.equal(await statusOf(), 200);
  for (const body of bodies) body.destroy();
  await until(() => !server.busy);
  await download(1, holder);
  assert.equal(await statusOf(), 200);
});

test('an upload has a ticket and an offset, and the response contains the received size', async () => {
  receive = async (ticket, offset, body) => {
    assert.deepEqual([ticket, offset], [TICKET, 7]);
    return { status: 200, received: 7 + (await text(body)).length };
  };
  const { status, body } = await post(7, Readable.from([Buffer.from('abc')]));
  assert.deepEqual([status, JSON.parse(await text(body))], [200, { received: 10 }]);
});

test('a refusal is sent before all bytes have arrived', async () => {
  receive = () => Promise.resolve({ status: 409, received: 3 });
  const endless = new PassThrough();
  endless.write('x');
  const { status, body } = await post(7, endless);
  const told = JSON.parse(await text(body)) as { code: string; received: number };
  assert.deepEqual([status, told.code, told.received], [409, 'err_upload_offset', 3]);
  endless.destroy();
});

test('a refusal is sent after some bytes have arrived', async () => {
  receive = async (_ticket, _offset, body) => {
    for await (const part of body) if (part.length > 0) return { status: 413 };
    return { status: 404 };
  };
  const endless = new PassThrough();
  endless.write('x');
  const { status, body } = await post(0, endless);
  const { code } = JSON.parse(await text(body)) as { code: string };
  assert.deepEqual([status, code], [413, 'err_file_too_large']);
  endless.destroy();
});

test('an upload ends when its sender disconnects', async () => {
  let ended = false;
  receive = async (_ticket, _offset, body) => {
    for await (const part of body) assert.equal(String(part), 'x');
    ended = true;
    return { status: 200, received: 1 };
  };
  const sender = new PassThrough();
  sender.write('x');
  const asked = post(0, sender);
  asked.catch(() => undefined);
  await turn();
  sender.destroy();
  await assert.rejects(asked, { code: 'err_session_terminated' });
  assert.equal(ended, false);
});

test('an invalid ticket is refused, and too many requests at once have to wait', async () => {
  const { status, body } = await files.ask({ method: 'GET', ticket: '../../etc/passwd', offset: 0 });
  body.resume();
  assert.equal(status, 404);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  receive = () => held.then(() => ({ status: 404 }));
  const many = Array.from({ length: 40 }, () => post(0, Readable.from([])));
  const first = await Promise.race(many);
  assert.equal(first.status, 429);
  release();
  for (const each of await Promise.all(many)) each.body.resume();
});

test('all requests end with the session', async () => {
  receive = () => new Promise(() => undefined);
  const asked = post(0, Readable.from([Buffer.from('x')]));
  await turn();
  channel.destroy();
  await assert.rejects(asked, { code: 'err_session_terminated' });
  await assert.rejects(get(), { code: 'err_session_terminated' });
});

test('a request fails as after the end of the session while the channel to the host closes', async () => {
  await download(10);
  const { body } = await get();
  await text(body);
  const request = new Promise((resolve) => {
    // At this moment HTTP/2 has destroyed its session, and has not reported the end of the session yet.
    channel.once('close', () => resolve((async () => get())()));
  });
  channel.destroy();
  await assert.rejects(request, { code: 'err_session_terminated' });
});

test('the first request fails at once if the channel to the host has closed before', async () => {
  channel.destroy();
  await once(channel, 'close');
  await assert.rejects(get(), { code: 'err_session_terminated' });
});
