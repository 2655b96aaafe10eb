import assert from 'node:assert/strict';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'files', arguments: {} } };
const CANCEL = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
const VERSION = '2026-07-28';

let service: TestService;
let url: string;
let token: string;
const sockets: Socket[] = [];
beforeEach(async () => {
  service = await createTestService();
  const begun = await new ApiCaller(service).begin({ automation: true });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  sockets.length = 0;
  service.app.server.on('connection', (socket: Socket) => sockets.push(socket));
  const { port } = service.app.server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}${new URL(begun.embed_url).pathname}/mcp`;
  token = begun.admin_token;
});
afterEach(async () => {
  mock.restoreAll();
  await service.close();
});

function send(
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
  address = url,
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', ...headers },
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

describe('a request over MCP', () => {
  it('may be silent for longer than usual until its tool has ended', async () => {
    const limits: number[] = [];
    service.pool.last.perform = async () => {
      // By then, the library has returned the head of its answer.
      await new Promise((resolve) => setImmediate(resolve));
      limits.push(sockets.at(-1)?.timeout ?? 0);
      return { files: [] };
    };
    assert.equal((await send(CALL)).status, 200);
    const [limit = 0] = limits;
    assert.ok(limit >= 700_000, `${limit}`);
  });

  it('that subscribes to events is refused at once', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const method = 'subscriptions/listen';
    const params = { notifications: { toolsListChanged: true }, _meta };
    const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': method };
    const answer = await send({ jsonrpc: '2.0', id: 1, method, params }, headers);
    assert.match(await answer.text(), /"error":\{"code":-32603,/);
  });

  it('that gets no answer leaves no timer after its client has left', async () => {
    let timer: unknown;
    const begin = globalThis.setInterval;
    const begun = new Promise<void>((resolve) => {
      mock.method(globalThis, 'setInterval', (work: () => void, milliseconds: number) => {
        timer = begin(work, milliseconds);
        resolve();
        return timer;
      });
    });
    const end = globalThis.clearInterval;
    const ended = new Promise<void>((resolve) => {
      mock.method(globalThis, 'clearInterval', (given: unknown) => {
        end(given as NodeJS.Timeout);
        if (given === timer) resolve();
      });
    });
    service.pool.last.perform = () => ({ files: [] });
    const leave = new AbortController();
    const sent = send([CALL, CANCEL], {}, leave.signal);
    await begun;
    leave.abort();
    await assert.rejects(sent, { name: 'AbortError' });
    await ended;
  });
});

describe('a new request for a person over MCP', () => {
  it('is withdrawn if its client leaves before it knows the id', async () => {
    const host = service.pool.last;
    const client = new AbortController();
    const params = { name: 'request_human', arguments: { instructions: 'Log in.' } };
    const withdrawn = new Promise<unknown>((resolve) => {
      host.perform = (method, args) => {
        if (method === 'handoffs.withdraw') resolve(args);
        if (method !== 'handoffs.get') return { id: 'h1', outcome: null, note: '' };
        client.abort();
        return new Promise(() => undefined);
      };
    });
    await assert.rejects(send({ ...CALL, params }, {}, client.signal), { name: 'AbortError' });
    assert.deepEqual(await withdrawn, ['h1']);
  });
});

describe('a call of a program', () => {
  it('learns that its client has left, over HTTP and over MCP', async () => {
    const host = service.pool.last;
    const tool = (name: string, args: object) => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: args },
    });
    const click = url.replace(/mcp$/, 'computer/click');
    const handoff = url.replace(/mcp$/, 'handoffs/h1?wait=25');
    const headers = { authorization: `Bearer ${token}` };
    for (const call of [
      (signal: AbortSignal) => send({ x: 1, y: 2 }, {}, signal, click),
      (signal: AbortSignal) => fetch(handoff, { headers, signal }),
      (signal: AbortSignal) => send(tool('request_human', { id: 'h1' }), {}, signal),
      (signal: AbortSignal) => send(tool('click', {}), {}, signal),
    ]) {
      host.leaving.length = 0;
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const left = new Promise<void>((resolve) => {
        host.perform = () => {
          begin();
          host.leaving[0]?.addEventListener('abort', () => resolve());
          return left;
        };
      });
      const client = new AbortController();
      const sent = call(client.signal);
      await begun;
      assert.equal(host.leaving[0]?.aborted, false);
      client.abort();
      await assert.rejects(sent, { name: 'AbortError' });
      await left;
    }
  });

  it('is not taken for abandoned after its answer', async () => {
    const host = service.pool.last;
    host.perform = () => ({ done: true });
    await (await send({ x: 1, y: 2 }, {}, undefined, url.replace(/mcp$/, 'computer/click'))).text();
    const closed = Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
    service.app.server.closeAllConnections();
    await closed;
    assert.deepEqual(
      host.leaving.map((leaving) => leaving?.aborted),
      [false],
    );
  });
});
