import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { createLog } from '../../../../server/src/platform/log.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
afterEach(() => service.close());

it('a WebSocket request without its header Upgrade is refused, and the log names the proxy', async () => {
  const lines: string[] = [];
  service = await createTestService({ log: createLog('info', (line) => lines.push(line)) });
  const created = await service.app.inject({
    ...{ method: 'POST', url: '/v0/vm', headers: { authorization: API_KEY } },
  });
  const { pathname, search } = new URL(created.json<{ embed_url: string }>().embed_url);
  const url = `${pathname}${search}`;
  const headers = { connection: 'close', host: 'a.example', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const about = () => lines.filter((line) => line.includes('a proxy does not forward WebSocket upgrades'));

  const refused = await service.app.inject({ url, headers });
  assert.equal(refused.statusCode, 400);
  assert.match(refused.json<{ message: string }>().message, /header Upgrade .* proxy/s);
  assert.equal(about().length, 1);
  assert.match(about()[0] ?? '', /"level":"warn".*"host":"a\.example"/);
  assert.ok(!about().join('').includes(search), 'the log must not contain the token');

  // Clients try again and again.
  await service.app.inject({ url, headers });
  assert.equal(about().length, 1);

  const page = await service.app.inject({ url, headers: { accept: 'text/html' } });
  assert.equal(page.statusCode, 200);
});
