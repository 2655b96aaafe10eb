import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connectDisplay, request, type XConnection } from '../../../../server/src/host/display/x-client.js';
import { FakeXServer } from '../../../fakes/fake-x-server.js';

let sockets: string;
before(async () => void (sockets = await mkdtemp(join(tmpdir(), 'cloud-browser-x-'))));
after(() => rm(sockets, { recursive: true }));

function connect(socket: string): Promise<XConnection> {
  return connectDisplay({ sockets, socket, authorityFile: '', touchSocket: '', cookie: Buffer.alloc(16) });
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
