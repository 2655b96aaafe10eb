import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { ProgramEntrance } from '../../../../server/src/host/features/automation/programs/entrance.js';

let service: Server;
let program: WebSocket;
const received: string[] = [];
beforeEach(async () => {
  const entrance = new ProgramEntrance();
  // Runs in one process instead of two. The service passes on its data of the upgrade request.
  service = createServer().on('upgrade', ({ headers }, socket: Socket, head: Buffer) => {
    const request = { method: 'GET', url: '/', headers };
    const user = { userId: 'user-1', ip: '192.0.2.1', name: '', roles: [] };
    entrance.take({ ...user, request, head: head.toString('base64') }, socket, (webSocket) => {
      webSocket.on('message', (data: Buffer) => received.push(String(data)));
    });
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  program = new WebSocket(`ws://127.0.0.1:${(service.address() as AddressInfo).port}/`);
  await once(program, 'open');
});
afterEach(() => {
  received.splice(0);
  program.terminate();
  service.close();
});

describe('a message of a program', () => {
  it('can come in several frames', async () => {
    for (const piece of ['{"id"', ':1']) program.send(piece, { fin: false });
    program.send('}', { fin: true });
    program.close();
    await once(program, 'close');
    assert.deepEqual(received, ['{"id":1}']);
  });

  // The limits of programs count messages. Frames without content also take the time of the host.
  it('ends the connection if it comes in too many frames', async () => {
    for (let count = 0; count < 2_000; count++) program.send('', { fin: false });
    const [code] = (await once(program, 'close')) as [number];
    assert.equal(code, 1008);
  });
});
