import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { limitConnecting } from '../../../server/src/cluster/peers/forward.js';

/** Limit in milliseconds. */
const LIMIT = 20;

let server: Server;
let socket: Socket;
let late: number;

beforeEach(async () => {
  late = 0;
  server = createServer((other) => other.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  socket.destroy();
  server.close();
});

function connectTo(host: string, port: number): void {
  socket = connect({ host, port });
  socket.on('error', () => undefined);
}

describe('the limit for connecting', () => {
  it('leaves a connection alone that was established while the process was busy', async () => {
    connectTo('127.0.0.1', (server.address() as AddressInfo).port);
    limitConnecting(socket, LIMIT, () => late++);
    const busyUntil = performance.now() + 3 * LIMIT;
    while (performance.now() < busyUntil);
    await once(socket, 'connect');
    await once(socket, 'close');
    assert.equal(late, 0);
  });

  it('ends the wait for a host that connects and does not answer the TLS handshake', async () => {
    const silent = createServer((other) => other.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    socket = connectTls({ host: '127.0.0.1', port: (silent.address() as AddressInfo).port });
    socket.on('error', () => undefined);
    await new Promise((resolve) => limitConnecting(socket, LIMIT, () => resolve(++late)));
    assert.equal(late, 1);
    silent.close();
  });

  it('ends the wait for a host that does not answer', async () => {
    // An address for documentation (RFC 5737). A machine without a route reports an error instead.
    connectTo('192.0.2.1', 9);
    const end = new Promise((resolve) => socket.once('error', resolve));
    const limit = new Promise((resolve) => limitConnecting(socket, LIMIT, () => resolve(++late)));
    await Promise.race([end, limit]);
    assert.ok(late === 1 || socket.destroyed);
  });
});
