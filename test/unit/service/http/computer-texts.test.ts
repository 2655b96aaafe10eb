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

  async function call(method: string, body: object): Promise<unknown> {
    const { port } = service.app.server.address() as AddressInfo;
    const { pathname } = new URL(session.embed_url);
    const response = await fetch(`http://127.0.0.1:${port}${pathname}/computer/${method}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${session.admin_token}` },
    });
    return response.json();
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

  it('counts as omitted if it is empty in other fields', async () => {
    assert.deepEqual(await call('type', { ref: '', text: 'a' }), { done: true });
    assert.deepEqual(service.pool.last.calls.at(-1)?.args, [{ text: 'a' }]);
  });
});
