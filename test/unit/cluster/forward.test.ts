import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Forward } from '../../../server/src/cluster/peers/forward.js';

/** Timeout of the client's connections outside of forwarded requests. Milliseconds. */
const USUAL_MS = 50_000;
/** Timeout of a client's connection without a request. Milliseconds. */
const IDLE_MS = 30_000;
const TIMEOUTS = { connect: 40_000, answer: 60_000, call: 70_000 };

let servers: Server[];
let forward: Forward;
/** The timeout of the client's connection before and during each request. */
let seen: [before: number | undefined, during: number | undefined][];
let url: string;
let clients: Socket[];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.timeout = USUAL_MS;
  server.keepAliveTimeout = IDLE_MS;
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(async () => {
  [servers, seen, clients, forward] = [[], [], [], new Forward(TIMEOUTS)];
  const other = await serve((_request, response) => response.end('done'));
  url = await serve((request, response) => {
    const before = request.socket.timeout;
    clients.push(request.socket);
    forward.answer(other, 'seal', request, response);
    seen.push([before, request.socket.timeout]);
  });
});
afterEach(() => {
  forward.close();
  for (const server of servers) server.close();
});

const ask = async (path: string) => assert.equal(await (await fetch(url + path)).text(), 'done');

describe('a forwarded request', () => {
  for (const [path, timeout] of [
    ['/session/timeout', TIMEOUTS.answer],
    ['/session/computer/click', TIMEOUTS.call],
    ['/session/mcp', TIMEOUTS.call],
    ['/session/screenshot?format=png', TIMEOUTS.call],
  ] as const)
    it(`lets the client wait longer than the other node may take: ${path}`, async () => {
      await ask(path);
      assert.deepEqual(seen, [[USUAL_MS, 2 * timeout]]);
    });

  it('leaves the connection with its usual timeout', async () => {
    await ask('/session/mcp');
    await ask('/session/mcp');
    assert.deepEqual(seen.at(-1)?.[0], USUAL_MS);
  });

  it('leaves the time for which an idle connection stays open', async () => {
    await ask('/session/mcp');
    const [client] = clients;
    // The server sets this time after the end of the answer.
    while (client?.timeout === 2 * TIMEOUTS.call) await turn();
    for (let round = 0; round < 5; round++) await turn();
    // Node.js adds up to a second.
    const extra = (client?.timeout ?? 0) - IDLE_MS;
    assert.ok(extra >= 0 && extra <= 1_000, `${client?.timeout} ms`);
  });
});
