import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { giveSocket } from '../../server/src/pool/give-socket.js';

const RECEIVER = fileURLToPath(new URL('../fakes/busy-receiver.mjs', import.meta.url));
const ROUNDS = 20;
const BUSY_MS = 10;

/** A peer that answers at once, even while this thread is busy. */
const PEER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const socket = require('node:net').connect(workerData, '127.0.0.1', () => socket.write('let me in'));
  let heard = '';
  socket.setEncoding('utf8').on('data', (text) => {
    if (heard === '') socket.write('hello');
    heard += text;
  });
  socket.on('end', () => socket.end());
  socket.on('close', () => parentPort.postMessage(heard));
`;

it('a socket that is passed to another process loses no data, however busy both processes are', async () => {
  const child = fork(RECEIVER, { execArgv: [] });
  const server = createServer((socket) => {
    socket.once('data', () => {
      giveSocket(child, { type: 'take' }, socket);
      setImmediate(() => {
        const end = performance.now() + BUSY_MS;
        while (performance.now() < end);
      });
    });
  });
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (let round = 0; round < ROUNDS; round++) {
      const peer = new Worker(PEER, { eval: true, workerData: port });
      const [heard] = (await once(peer, 'message')) as [string];
      assert.equal(heard, 'welcomehello');
    }
  } finally {
    child.kill();
    server.close();
  }
});

it('a server closes after the process that received one of its sockets has ended', async () => {
  const child = fork(RECEIVER, { execArgv: [] });
  const server = createServer((socket) => {
    socket.once('data', () => giveSocket(child, { type: 'take' }, socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer = new Worker(PEER, { eval: true, workerData: (server.address() as AddressInfo).port });
  await once(peer, 'message');
  child.kill();
  await once(child, 'exit');
  server.close();
  await once(server, 'close', { signal: AbortSignal.timeout(10_000) });
});
