import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ShmExtension } from 'x11';
import { ScreenSource } from '../../../../server/src/host/capture/screen-source.js';
import { SharedSegment } from '../../../../server/src/host/capture/shared-segment.js';
import { DisplayClipboard } from '../../../../server/src/host/display/clipboard/display-clipboard.js';
import { CursorWatch } from '../../../../server/src/host/display/cursor-watch.js';
import { DisplayScale } from '../../../../server/src/host/display/display-scale.js';
import { ScreenMode } from '../../../../server/src/host/display/display.js';
import { PopupTrim } from '../../../../server/src/host/display/windows/popup-trim.js';
import { WindowFit } from '../../../../server/src/host/display/windows/window-fit.js';
import {
  connectDisplay,
  HELLO_TIMEOUT_MS,
  request,
  type XConnection,
} from '../../../../server/src/host/display/x-client.js';
import type { DisplayAddress } from '../../../../server/src/host/display/x-server.js';
import { FakeXServer, GET_GEOMETRY, INTERN_ATOM } from '../../../fakes/fake-x-server.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let sockets: string;
before(async () => void (sockets = await mkdtemp(join(tmpdir(), 'cloud-browser-x-'))));
after(() => rm(sockets, { recursive: true }));

const addressOf = (socket: string) => ({
  ...{ sockets, socket, authorityFile: '', touchSocket: '', cookie: Buffer.alloc(16) },
});

function connect(socket: string): Promise<XConnection> {
  return connectDisplay(addressOf(socket));
}

function atom({ x }: XConnection, name: string): Promise<number> {
  return request<number>((reply) => x.InternAtom(false, name, reply));
}

test('a connection to another display requests its own atom numbers', async (context) => {
  const numbers = [700, 800];
  const connections = await Promise.all(
    numbers.map(async (number) => {
      const socket = join(sockets, `X${number}`);
      const server = await FakeXServer.start(socket, number);
      context.after(() => server.stop());
      return connect(socket);
    }),
  );
  for (const [index, connection] of connections.entries()) {
    assert.equal(await atom(connection, '_NET_CLIENT_LIST'), numbers[index]);
    assert.equal(await atom(connection, 'ATOM'), 4);
  }
});

test('the screen of a display that ends while it is opened is refused', async () => {
  const socket = join(sockets, 'X900');
  const server = await FakeXServer.start(socket, 900);
  // The fake server does not answer the request for the size of the screen.
  const refused = assert.rejects(ScreenSource.open(addressOf(socket)), /has ended/);
  await server.asked(GET_GEOMETRY);
  await server.stop();
  await refused;
});

for (const [what, open] of [
  ['the clipboard', (address: DisplayAddress) => DisplayClipboard.open(address)],
  ['the windows', (address: DisplayAddress) => WindowFit.start(address, { width: 1, height: 1 }, false)],
  ['the scale', (address: DisplayAddress) => DisplayScale.open(address, 1)],
] as const)
  test(`a display that ends while the host opens ${what} is refused`, async () => {
    const socket = join(sockets, `X-${what.replace(' ', '-')}`);
    const server = await FakeXServer.start(socket, undefined);
    const refused = assert.rejects(open(addressOf(socket)), /has ended/);
    await server.asked(INTERN_ATOM);
    await server.stop();
    await refused;
  });

test('a display that accepts a connection and never answers is refused', async (context) => {
  const socket = join(sockets, 'X1200');
  const server = createServer().listen(socket);
  context.after(() => server.close());
  await once(server, 'listening');
  const clock = new ManualClock();
  const refused = assert.rejects(connectDisplay(addressOf(socket), clock), /does not answer/);
  const [connection] = (await once(server, 'connection')) as [Socket];
  context.after(() => connection.destroy());
  const closed = once(connection, 'close');
  await once(connection.resume(), 'data');
  clock.advance(HELLO_TIMEOUT_MS);
  await refused;
  await closed;
  assert.equal(clock.pending, 0);
});

for (const [extension, open] of [
  ['DAMAGE', (address: DisplayAddress) => ScreenSource.open(address)],
  ['RANDR', (address: DisplayAddress) => ScreenMode.open(address)],
  ['XFIXES', (address: DisplayAddress) => CursorWatch.start(address, () => undefined)],
  ['SHAPE', (address: DisplayAddress) => PopupTrim.start(address)],
] as const)
  test(`a part that needs ${extension} closes its connection if the display lacks it`, async (context) => {
    const socket = join(sockets, `X-${extension}`);
    const server = await FakeXServer.start(socket, 1_100, extension);
    context.after(() => server.stop());
    const left = server.left();
    await assert.rejects(open(addressOf(socket)), /extension not available/);
    await left;
  });

/** Returns the descriptors of shared segments that this process has open. */
function openSegments(): string[] {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('/dev/shm/cloud-browser-');
    } catch {
      // The descriptor with which this function lists the directory is closed.
      return false;
    }
  });
}

for (const [what, ends, refusal] of [
  ['refuses it', false, /./],
  ['ends meanwhile', true, /has ended/],
] as const)
  test(`memory is not shared with a display that ${what}, and its file is closed`, async (context) => {
    const socket = join(sockets, ends ? 'X1000' : 'X1001');
    const server = await FakeXServer.start(socket, 1_000);
    const connection = await connect(socket);
    context.after(() => connection.close());
    const shm = await request<ShmExtension>((reply) => connection.x.require('shm', reply));
    const refused = assert.rejects(SharedSegment.create(connection, shm, 4_096), refusal);
    if (!ends) await refused;
    await server.stop();
    await refused;
    assert.deepEqual(openSegments(), []);
  });
