import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Forward } from '../../../server/src/cluster/peers/forward.js';

/** Timeout of the client's connections outside of forwarded requests. Milliseconds. */
const USUAL_MS = 50_000;
const TIMEOUTS = { connect: 40_000, answer: 60_000, call: 70_000 };

let servers: Server[];
let forward: Forward;
/** The timeout of the client's connection before and during each request. */
let seen: [before: number | undefined, during: number | undefined][];
let url: string;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.timeout = USUAL_MS;
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(async () => {
  [servers, seen, forward] = [[], [], new Forward(TIMEOUTS)];
  const other = await serve((_request, response) => response.end('done'));
  url = await serve((request, response) => {
    const before = request.socket.timeout;
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
});
