import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { createTestService } from '../../../fakes/test-service.js';

it('each message of a batch of MCP counts as a request of its program', async () => {
  const service = await createTestService();
  try {
    const { embed_url: url, admin_token: token } = await new ApiCaller(service).begin({ automation: true });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = service.app.server.address() as AddressInfo;
    service.pool.last.perform = () => ({ files: [] });
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'files', arguments: {} } };
    const send = (count: number) =>
      fetch(`http://127.0.0.1:${port}${new URL(url).pathname}/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(Array.from({ length: count }, (_, id) => ({ ...call, id }))),
      });
    for (let batch = 0; batch < 2; batch++) assert.equal((await send(100)).status, 200);
    assert.equal(service.pool.last.calls.length, 200);
    const refused = await send(100);
    assert.equal(refused.status, 429);
    assert.equal(((await refused.json()) as { code: string }).code, 'err_too_many_requests');
    service.clock.advance(2_000);
    assert.equal((await send(1_000)).status, 429, 'a longer batch than is ever possible');
    assert.equal(service.pool.last.calls.length, 200);
  } finally {
    await service.close();
  }
});
