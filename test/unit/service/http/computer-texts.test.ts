import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

describe('a text in a call of computer use', () => {
  let service: TestService;
  let session: Access;
  before(async () => {
    service = await createTestService();
    session = await new ApiCaller(service).begin({ automation: true });
    service.pool.last.perform = () => ({ done: true });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => service.close());

  function send(path: string, body: object): Promise<Response> {
    const { port } = service.app.server.address() as AddressInfo;
    const { pathname } = new URL(session.embed_url);
    return fetch(`http://127.0.0.1:${port}${pathname}/${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: {
        ...{ authorization: `Bearer ${session.admin_token}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
    });
  }

  async function call(method: string, body: object): Promise<unknown> {
    return (await send(`computer/${method}`, body)).json();
  }

  for (const [method, body] of [
    ['type', { ref: 'e1', text: '', replace: true }],
    ['set', { ref: 'e1', value: '' }],
    ['dialog', { accept: true, text: '' }],
  ] as const)
    it(`reaches the session with the method ${method}, also if it is empty`, async () => {
      assert.deepEqual(await call(method, body), { done: true });
      assert.deepEqual(service.pool.last.calls.at(-1), { method: `computer.${method}`, args: [body] });
    });

  it('may also be a number', async () => {
    assert.deepEqual(await call('set', { ref: 'e1', value: 70.5 }), { done: true });
    assert.deepEqual(service.pool.last.calls.at(-1)?.args, [{ ref: 'e1', value: '70.5' }]);
    assert.deepEqual(await call('type', { text: 70 }), { done: true });
    assert.deepEqual(service.pool.last.calls.at(-1)?.args, [{ text: '70' }]);
  });

  it('is converted to the type of its field over MCP too', async () => {
    const { calls } = service.pool.last;
    const before = calls.length;
    const params = { name: 'click', arguments: { x: '100', y: 50, ref: '', count: '2' } };
    assert.equal((await send('mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).status, 200);
    assert.deepEqual(calls[before], { method: 'computer.click', args: [{ x: 100, y: 50, count: 2 }] });
  });

  it('is converted to the type of its field in a step of a batch too', async () => {
    const step = { type: 'click', x: '100', y: 50, count: '2' };
    await call('batch', { actions: [step, { type: 'type', text: 70 }, { type: 'unknown', x: '1' }] });
    assert.deepEqual(service.pool.last.calls.at(-1)?.args, [
      {
        actions: [
          { type: 'click', x: 100, y: 50, count: 2 },
          { type: 'type', text: '70' },
          { type: 'unknown', x: '1' },
        ],
      },
    ]);
  });

  it('counts as omitted if it is empty in other fields', async () => {
    assert.deepEqual(await call('type', { ref: '', text: 'a' }), { done: true });
    assert.deepEqual(service.pool.last.calls.at(-1)?.args, [{ text: 'a' }]);
  });
});
