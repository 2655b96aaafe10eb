import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

describe('the option cursor of a screenshot', () => {
  let service: TestService;
  let session: Access;
  before(async () => {
    service = await createTestService();
    session = await new ApiCaller(service).begin({});
    service.pool.last.perform = () => ({ format: 'png', data: '' });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => service.close());

  async function take(cursor: string): Promise<Response> {
    const { port } = service.app.server.address() as AddressInfo;
    const { pathname } = new URL(session.embed_url);
    const headers = { authorization: `Bearer ${session.admin_token}` };
    return fetch(`http://127.0.0.1:${port}${pathname}/screenshot?cursor=${cursor}`, { headers });
  }

  for (const [text, cursor] of [
    ...(['true', 'True', '1'] as const).map((yes) => [yes, true] as const),
    ...(['false', 'False', '0', ''] as const).map((no) => [no, false] as const),
  ])
    it(`is ${cursor} for ${JSON.stringify(text)}`, async () => {
      assert.equal((await take(text)).status, 200);
      assert.deepEqual(service.pool.last.calls.at(-1), { method: 'screenshot', args: [{ cursor }] });
    });

  it('is refused for any other text', async () => {
    const response = await take('yes');
    assert.equal(response.status, 400);
    assert.match(await response.text(), /cursor must be true or false/);
  });
});
