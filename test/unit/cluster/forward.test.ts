import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Forward } from '../../../server/src/cluster/peers/forward.js';
import { sendLongBody } from '../../fakes/long-body.js';
import { until } from '../../walk/deadline.js';

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
/** Address of the other node. */
let other: string;
let clients: Socket[];

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(listener);
  server.timeout = USUAL_MS;
  server.keepAliveTimeout = IDLE_MS;
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return `http://${host === '::1' ? '[::1]' : host}:${(server.address() as AddressInfo).port}`;
}

beforeEach(async () => {
  [servers, seen, clients, forward] = [[], [], [], new Forward(TIMEOUTS)];
  other = await serve((_request, response) => response.end('done'));
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

  it('is answered with an error when the other node becomes silent', async () => {
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    other = await serve(() => arrive());
    const silence = new AbortController();
    url = await serve((request, response) =>
      forward.answer(other, 'seal', request, response, silence.signal),
    );
    const asked = fetch(`${url}/session`);
    await arrived;
    silence.abort();
    assert.equal((await asked).status, 503);
  });

  it('reaches a node with an IPv6 address', async () => {
    other = await serve((_request, response) => response.end('done'), '::1');
    await ask('/session/mcp');
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

describe('a long body that the other node does not read', () => {
  it('is not read, and its connection is closed after the answer', async () => {
    other = await serve((_request, response) => response.writeHead(401).end('no'));
    const size = 100_000_000;
    const head = 'POST /session/uploads HTTP/1.1';
    const { answer, sent } = await sendLongBody(Number(new URL(url).port), head, size);
    assert.match(answer, /^HTTP\/1\.1 401 /);
    assert.match(answer, /connection: close/i);
    assert.ok(sent < size / 5, `${sent} bytes were taken`);
  });

  it('is not read if the other node ends before its answer, and the client gets the error', async () => {
    other = await serve((request) => request.once('data', () => request.socket.destroy()));
    let tellAnswered = (): void => undefined;
    const answered = new Promise<void>((resolve) => (tellAnswered = resolve));
    const front = await serve((request, response) => {
      request.socket.once('finish', tellAnswered);
      forward.answer(other, 'seal', request, response);
    });
    const client = connect(Number(new URL(front).port), '127.0.0.1');
    const closed = new Promise((resolve) => client.once('close', resolve));
    // The connection may break while the client still sends.
    client.on('error', () => undefined);
    client.write(`POST /session/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n`);
    const chunk = Buffer.alloc(64 * 1024);
    const send = () => {
      while (!client.destroyed && client.write(chunk)) continue;
    };
    client.on('drain', send);
    send();
    // The client reads only after the whole answer was sent. A reset connection would discard the answer.
    await answered;
    for (let round = 0; round < 5; round++) await turn();
    let answer = '';
    client.on('data', (data) => (answer += String(data)));
    await closed;
    assert.match(answer, /^HTTP\/1\.1 503 .*err_node_unreachable/s);
  });
});

describe('a client that has closed its connection already', () => {
  const SEAL = 'seal';

  /** Returns the numbers of connections and requests that reach a new node, and that node's address. */
  async function countingNode() {
    const node = { base: '', connections: 0, requests: 0 };
    node.base = await serve((_request, response) => {
      node.requests++;
      response.end('done');
    });
    const server = servers.at(-1);
    server?.on('connection', () => node.connections++);
    server?.on('upgrade', (_request, socket: Socket) => {
      node.requests++;
      socket.destroy();
    });
    return node;
  }

  it('has no request forwarded', async () => {
    const node = await countingNode();
    const front = await serve((request, response) => {
      if (request.url === '/present') forward.answer(node.base, SEAL, request, response);
      else {
        response.once('close', () => {
          forward.answer(node.base, SEAL, request, response);
          closed();
        });
        leaving.destroy();
      }
    });
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const leaving = get(`${front}/gone`);
    leaving.on('error', () => undefined);
    await gone;
    assert.equal(await (await fetch(`${front}/present`)).text(), 'done');
    assert.deepEqual([node.connections, node.requests], [1, 1]);
  });

  it('has no WebSocket forwarded', async () => {
    const node = await countingNode();
    const front = await serve((_request, response) => response.end());
    const upgrades: [request: IncomingMessage, socket: Socket, head: Buffer][] = [];
    servers.at(-1)?.on('upgrade', (...upgrade: (typeof upgrades)[number]) => upgrades.push(upgrade));
    const ask = async () => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket' };
      const asked = get(front, { headers });
      asked.on('error', () => undefined);
      await until('the request arrives', 20_000, () => upgrades.length > 0);
      return { asked, upgrade: upgrades.pop() };
    };
    const gone = await ask();
    assert.ok(gone.upgrade);
    const [, socket] = gone.upgrade;
    socket.on('error', () => undefined).resume();
    gone.asked.socket?.resetAndDestroy();
    await until('the connection is closed', 20_000, () => socket.closed);
    forward.upgrade(node.base, SEAL, ...gone.upgrade);
    const present = await ask();
    assert.ok(present.upgrade);
    forward.upgrade(node.base, SEAL, ...present.upgrade);
    await once(present.upgrade[1], 'close');
    assert.deepEqual([node.connections, node.requests], [1, 1]);
  });
});

describe('a forwarded WebSocket', () => {
  it('reaches a node with an IPv6 address', async () => {
    other = await serve(() => undefined, '::1');
    servers
      .at(-1)
      ?.on('upgrade', (_request: IncomingMessage, socket: Socket) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
      );
    servers[1]?.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      forward.upgrade(other, 'seal', request, socket, head),
    );
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    assert.match(answer, /^HTTP\/1\.1 101 /);
  });
});
