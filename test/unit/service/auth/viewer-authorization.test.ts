import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { reasonOfCloseCode, SUBPROTOCOL } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import type { ViewerHandover } from '../../../../server/src/host-protocol.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
async function open(proxies = 0): Promise<void> {
  service = await createTestService({ proxies });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  api = new ApiCaller(service);
}
beforeEach(() => open());
afterEach(() => service.close());

const asks = { auth: { type: 'webhook', value: { url: 'https://example.com/may', bearer: 'b' } } };

/** Data that the host receives for a user who opens an embed URL. */
async function handover(embedUrl: string, headers: Record<string, string> = {}): Promise<ViewerHandover> {
  const { pathname, search } = new URL(embedUrl);
  const { port } = service.app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${pathname}${search}`, SUBPROTOCOL, { headers });
  await once(socket, 'error');
  const handed = service.pool.last.viewers.at(-1);
  assert.ok(handed);
  return handed.viewer;
}

const user = { request: 1, userId: 'u', userdata: { a: 1 }, ip: '192.0.2.1', userAgent: 'x' };

describe('a session whose viewers a webhook authorizes', () => {
  it('has an embed URL without a token, which leads to an authorization request', async () => {
    const { embed_url: embedUrl } = await api.begin(asks);
    assert.equal(new URL(embedUrl).search, '');
    assert.equal((await handover(embedUrl)).auth, 'ask');
  });

  it("sends its host's requests to the endpoint, and returns the answers", async () => {
    await api.begin(asks);
    const { listener } = service.pool.last;
    service.webhooks.answer = async () => ({
      status: 200,
      text: '{"authorized":true,"permissions":{"control_disabled":true}}',
    });
    assert.deepEqual(await listener.onAuthorize(user), {
      granted: true,
      permissions: { control_disabled: true },
    });
    assert.deepEqual(service.webhooks.requests[0]?.body, { user_id: 'u', userdata: { a: 1 } });
    service.webhooks.answer = () => Promise.reject(new Error('unreachable'));
    assert.equal((await listener.onAuthorize(user)).granted, false);
  });

  it('does not let other clients flood the endpoint', async () => {
    await api.begin(asks);
    const { listener } = service.pool.last;
    service.webhooks.answer = () => new Promise(() => undefined);
    for (let count = 0; count < 32; count++) void listener.onAuthorize(user);
    const answer = await listener.onAuthorize(user);
    assert.equal(answer.granted, false);
    assert.equal(service.webhooks.requests.length, 32);
  });

  it('reports that it has ended', async () => {
    const { embed_url: embedUrl, session_id: id } = await api.begin(asks);
    await api.send('DELETE', `/v0/vm/${id}`);
    const { port } = service.app.server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}${new URL(embedUrl).pathname}`, SUBPROTOCOL);
    const [code] = (await once(socket, 'close')) as [number];
    assert.equal(reasonOfCloseCode(code), 'request');
  });
});

describe('the first rights of a viewer', () => {
  // Proves: role control; role chrome_apis; role resize
  it('come from the token, with the default roles', async () => {
    const { auth, controlDisabled, roles } = await handover((await api.begin()).embed_url);
    assert.deepEqual(
      [auth, controlDisabled, roles],
      ['granted', false, ['chrome_apis', 'resize', 'control', 'privacy']],
    );
  });

  // Proves: control_disable_default
  it('exclude control if the session says so', async () => {
    const { embed_url: embedUrl } = await api.begin({ control_disable_default: true });
    const { controlDisabled, roles, tiedRoles } = await handover(embedUrl);
    assert.deepEqual(
      [controlDisabled, roles, tiedRoles],
      [true, [], ['chrome_apis', 'resize', 'control', 'privacy']],
    );
  });

  // Proves: default_roles; role file_upload
  it('are those of the session instead of the default', async () => {
    const { embed_url: embedUrl } = await api.begin({ default_roles: ['control', 'file_upload', 'control'] });
    assert.deepEqual((await handover(embedUrl)).roles, ['control', 'file_upload']);
  });
});

describe('the address of a viewer', () => {
  const forged = { 'x-forwarded-for': '203.0.113.9, 198.51.100.4' };

  it('is that of the connection, whatever the viewer claims', async () => {
    assert.equal((await handover((await api.begin()).embed_url, forged)).ip, '127.0.0.1');
  });

  it('is the one from trusted proxies, not from earlier ones', async () => {
    for (const [proxies, ip] of [
      [1, '198.51.100.4'],
      [2, '203.0.113.9'],
      [3, '203.0.113.9'],
    ] as const) {
      await service.close();
      await open(proxies);
      assert.equal((await handover((await api.begin()).embed_url, forged)).ip, ip);
    }
    assert.equal((await handover((await api.begin()).embed_url)).ip, '127.0.0.1');
  });
});
