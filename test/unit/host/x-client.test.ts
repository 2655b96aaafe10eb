import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectDisplay, request, type XConnection } from '../../../server/src/host/display/x-client.js';
import { FakeXServer } from '../../fakes/fake-x-server.js';

/** Beyond the displays that the service gives. */
const FIRST_DISPLAY = 40_000 + 2 * (process.pid % 10_000);

function connect(number: number): Promise<XConnection> {
  const socket = `/tmp/.X11-unix/X${number}`;
  return connectDisplay({ number, socket, authorityFile: '', touchSocket: '', cookie: Buffer.alloc(16) });
}

function atom({ x }: XConnection, name: string): Promise<number> {
  return request<number>((reply) => x.InternAtom(false, name, reply));
}

test('a connection to another display asks that one for the numbers of its atoms', async (context) => {
  const numbers = [700, 800];
  const connections = await Promise.all(
    numbers.map(async (number, index) => {
      const server = await FakeXServer.start(FIRST_DISPLAY + index, number);
      context.after(() => server.stop());
      return connect(FIRST_DISPLAY + index);
    }),
  );
  for (const [index, connection] of connections.entries()) {
    assert.equal(await atom(connection, '_NET_CLIENT_LIST'), numbers[index]);
    assert.equal(await atom(connection, 'ATOM'), 4);
  }
});
