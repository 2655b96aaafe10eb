import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ScreenSource } from '../../../../server/src/host/capture/screen-source.js';
import { connectDisplay, request, type XConnection } from '../../../../server/src/host/display/x-client.js';
import { FakeXServer, GET_GEOMETRY } from '../../../fakes/fake-x-server.js';

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
