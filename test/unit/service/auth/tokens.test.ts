import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { reasonOfCloseCode, SUBPROTOCOL } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { MAX_TOKENS } from '../../../../server/src/sessions/tokens/issued-tokens.js';
import { readRecord } from '../../../../server/src/registry/read-record.js';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

interface Issued {
  token_id: string;
  token: string;
  url?: string;
  expires: string;
}

let service: TestService;
let api: ApiCaller;
let session: Access;
let path: string;
beforeEach(async () => {
  service = await createTestService();
  api = new ApiCaller(service);
  session = await api.begin();
  path = new URL(session.embed_url).pathname;
});
afterEach(() => service.close());

const pathOf = (url = '') => new URL(url).pathname + new URL(url).search;
const request = (body: unknown, token = session.admin_token) => api.control(session, 'tokens', body, token);

/** Issues a token, which must succeed. */
async function issue(body: object, token?: string): Promise<Issued> {
  const response = await request(body, token);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<Issued>();
}

/** The error of a request for a token. */
async function refusal(body: unknown, token?: string): Promise<[number, string, string]> {
  const response = await request(body, token);
  const { code, message } = response.json<{ code: string; message: string }>();
  return [response.statusCode, code, message];
}

/** Returns the status of the embed page. */
const page = async (url = '') => (await service.app.inject(pathOf(url))).statusCode;

describe('a token', () => {
  it('is issued with an address, and listed without its secret', async () => {
    const view = await issue({ scope: 'view', ttl: 60, user_id: 'ada', name: 'Ada', roles: ['cursor_data'] });
    assert.equal(view.url, `${session.embed_url.split('?')[0]}?token=${view.token}`);
    assert.equal(view.expires, '2030-01-01T00:01:00.000Z');
    const admin = await issue({ scope: 'admin' }, API_KEY);
    assert.deepEqual([admin.url, admin.expires], [undefined, '2030-01-01T01:00:00.000Z']);
    const list = await api.send('GET', `${path}/tokens`);
    assert.deepEqual(list.json(), {
      tokens: [
        {
          ...{ token_id: view.token_id, scope: 'view', roles: ['cursor_data'], user_id: 'ada', name: 'Ada' },
          ...{ created: '2030-01-01T00:00:00.000Z', expires: view.expires },
        },
        {
          ...{ token_id: admin.token_id, scope: 'admin' },
          ...{ created: '2030-01-01T00:00:00.000Z', expires: admin.expires },
        },
      ],
    });
  });

  it('is in the record only as a hash', async () => {
    const { token, token_id: id } = await issue({ scope: 'control' });
    const record = JSON.stringify(await service.registry.get(session.session_id));
    assert.ok(record.includes(id) && !record.includes(token));
    assert.equal(readRecord(record)?.tokens?.[0]?.id, id);
  });

  it('is refused for invalid fields, with a sentence', async () => {
    const cases: [unknown, RegExp][] = [
      [{}, /^scope must be/],
      [{ scope: 'all' }, /^scope must be one of view, control, automation, admin\.$/],
      [{ scope: 'VIEW' }, /^scope must be/],
      [{ scope: 'view', ttl: 0 }, /^ttl must be a whole number of seconds from 1 to 31536000, a year\.$/],
      [{ scope: 'view', ttl: 1e9 }, /^ttl must be/],
      [{ scope: 'view', ttl: 1.5 }, /^ttl must be/],
      [{ scope: 'view', roles: ['control'] }, /^roles must be empty or cursor_data for the scope view\.$/],
      [{ scope: 'admin', roles: ['control'] }, /^roles must be absent for the scope admin\.$/],
      [{ scope: 'admin', user_id: 'x' }, /^user_id must be absent for the scope admin\.$/],
      [{ scope: 'control', user_id: 'a/b' }, /^user_id must be 1 to 64 letters/],
      [{ scope: 'control', user_id: '' }, /^user_id must be 1 to 64 letters/],
      [{ scope: 'control', name: 'a\u0007' }, /^name must be a text of 1 to 100 characters/],
    ];
    for (const [body, message] of cases) {
      const [status, code, said] = await refusal(body);
      assert.deepEqual([status, code], [400, 'err_invalid_parameter'], JSON.stringify(body));
      assert.match(said, message);
    }
    assert.deepEqual((await api.send('GET', `${path}/tokens`)).json(), { tokens: [] });
  });

  it('with an unknown role is issued without that role, with a warning', async () => {
    const response = await request({ scope: 'control', roles: ['control', 'fly'] });
    assert.match(String(response.headers['cloud-browser-warnings']), /roles names roles that do not exist/);
  });

  it('is refused if the session has too many', async () => {
    const first = await issue({ scope: 'view', ttl: 10 });
    for (let count = 1; count < MAX_TOKENS; count++) await issue({ scope: 'view', ttl: 100 });
    assert.deepEqual((await refusal({ scope: 'view' })).slice(0, 2), [409, 'err_too_many_tokens']);
    service.clock.advance(10_000);
    assert.equal(await page(first.url), 401);
    await issue({ scope: 'view' });
  });

  it('is not issued if its record cannot be saved', async () => {
    service.registry.failure = Object.assign(new Error('full'), { code: 'ENOSPC' });
    assert.deepEqual((await refusal({ scope: 'view' })).slice(0, 2), [503, 'err_storage']);
    service.registry.failure = undefined;
    assert.deepEqual((await api.send('GET', `${path}/tokens`)).json(), { tokens: [] });
  });

  it('that was not issued leaves the record even if the failed write has stored it', async () => {
    const { registry } = service;
    const save = registry.save.bind(registry);
    registry.save = async (record) => {
      registry.save = save;
      await save(record);
      throw Object.assign(new Error('gone'), { code: 'err_database' });
    };
    assert.deepEqual((await refusal({ scope: 'view' })).slice(0, 2), [503, 'err_database']);
    assert.deepEqual((await registry.get(session.session_id))?.tokens, []);
  });
});

describe('the end of a token', () => {
  it('closes its address and reaches the host at once, when it is revoked', async () => {
    const { token_id: tokenId, url } = await issue({ scope: 'control' });
    assert.equal(await page(url), 200);
    const revoked = await api.send('DELETE', `${path}/tokens/${tokenId}`);
    assert.deepEqual([revoked.statusCode, revoked.json()], [200, { token_id: tokenId }]);
    assert.equal(await page(url), 401);
    assert.deepEqual(service.pool.last.endedTokens, [{ tokenId, reason: 'token_revoked' }]);
    assert.equal((await api.send('DELETE', `${path}/tokens/${tokenId}`)).statusCode, 404);
    assert.deepEqual((await service.registry.get(session.session_id))?.tokens, []);
  });

  it('refuses a request whose body arrives after it', async () => {
    session = await api.begin({ automation: true });
    path = new URL(session.embed_url).pathname;
    for (const end of ['revoked', 'none'] as const) {
      const { token, token_id: tokenId } = await issue({ scope: 'automation' });
      let isRead: () => void = () => undefined;
      const began = new Promise<void>((resolve) => (isRead = resolve));
      const payload = new Readable({ read: () => isRead() });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sending = service.app.inject({ method: 'POST', url: `${path}/handoffs`, headers, payload });
      await began;
      if (end === 'revoked') await api.send('DELETE', `${path}/tokens/${tokenId}`);
      payload.push('{"instructions":"x"}');
      payload.push(null);
      const { statusCode } = await sending;
      const methods = service.pool.last.calls.map(({ method }) => method);
      const expected = end === 'revoked' ? [true, []] : [false, ['handoffs.request']];
      assert.deepEqual([statusCode === 401, methods], expected);
    }
  });

  it('comes when its time has passed, on the monotonic clock', async () => {
    service.pool.showsAtOnce = true;
    const never = { absolute: null, inactive: null, offline: null };
    session = await api.begin({ timeout: never });
    const short = await issue({ scope: 'view', ttl: 2 });
    const long = await issue({ scope: 'view', ttl: 40 * 86_400 });
    service.clock.set(3_600_000);
    service.clock.advance(1_999);
    assert.deepEqual([await page(short.url), await page(long.url)], [200, 200]);
    service.clock.advance(1);
    assert.deepEqual([await page(short.url), await page(long.url)], [401, 200]);
    assert.deepEqual(service.pool.last.endedTokens, [{ tokenId: short.token_id, reason: 'token_expired' }]);
    for (let day = 0; day < 40; day++) service.clock.advance(86_400_000);
    assert.equal(await page(long.url), 401);
  });

  it('ends the tokens that it has created, with the same reason', async () => {
    const admin = await issue({ scope: 'admin', ttl: 5 });
    const child = await issue({ scope: 'admin', ttl: 500 }, admin.token);
    const grandchild = await issue({ scope: 'view', ttl: 500 }, child.token);
    service.clock.advance(5_000);
    await nextTurn();
    assert.deepEqual(
      service.pool.last.endedTokens.map(({ tokenId, reason }) => [tokenId, reason]),
      [admin, child, grandchild].map(({ token_id: id }) => [id, 'token_expired']),
    );
    for (const { token } of [admin, child]) assert.equal((await refusal({ scope: 'view' }, token))[0], 401);
  });

  it('leaves no timer after the end of its session', async () => {
    await issue({ scope: 'view', ttl: 50 });
    await api.send('DELETE', `/v0/vm/${session.session_id}`);
    service.clock.advance(60_000);
    assert.deepEqual(service.pool.last.endedTokens, []);
  });
});

describe('a viewer', () => {
  let base: string;
  beforeEach(async () => {
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    base = `ws://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  });

  /** Resolves to the viewer that the host gets, or to the reason for a refusal. */
  async function join(url = ''): Promise<unknown> {
    const { viewers } = service.pool.last;
    const before = viewers.length;
    const socket = new WebSocket(base + pathOf(url), SUBPROTOCOL);
    socket.on('error', () => undefined);
    const code = await new Promise<number>((resolve) => socket.once('close', resolve));
    if (viewers.length === before) return reasonOfCloseCode(code);
    const { auth, controlDisabled, roles, userId, token } = viewers[before]?.viewer ?? assert.fail();
    return { auth, controlDisabled, roles, userId, token };
  }

  it('is passed to the host with the rights, the user and the name of the token', async () => {
    const { url, token_id: tokenId } = await issue({ scope: 'view', user_id: 'ada', name: 'Ada' });
    assert.deepEqual(await join(url), {
      ...{ auth: 'granted', controlDisabled: true, roles: [], userId: 'ada' },
      token: { tokenId, scope: 'view', name: 'Ada', fixesUser: true },
    });
  });

  it('learns that its token has expired or was revoked', async () => {
    const expired = await issue({ scope: 'view', ttl: 1 });
    const revoked = await issue({ scope: 'control' });
    service.clock.advance(1_000);
    await api.send('DELETE', `${path}/tokens/${revoked.token_id}`);
    assert.equal(await join(expired.url), 'token_expired');
    assert.equal(await join(revoked.url), 'token_revoked');
  });

  it('needs an issued token in a session with auth tokens', async () => {
    const guarded = await api.begin({ auth: { type: 'tokens' } });
    assert.equal(new URL(guarded.embed_url).search, '');
    assert.equal(await join(guarded.embed_url), 'unauthorized');
    const derived = new URL(session.embed_url).searchParams.get('token') ?? '';
    assert.equal(await join(`${guarded.embed_url}?token=${derived}`), 'unauthorized');
    session = guarded;
    const { url } = await issue({ scope: 'control' });
    assert.equal(((await join(url)) as { auth: string }).auth, 'granted');
  });

  it('with a token is admitted without a request to the endpoint of the customer', async () => {
    const value = { url: 'https://example.com/auth', bearer: 'b' };
    session = await api.begin({ auth: { type: 'webhook', value } });
    const { url } = await issue({ scope: 'control' });
    assert.equal(((await join(url)) as { auth: string }).auth, 'granted');
    assert.equal(((await join(session.embed_url)) as { auth: string }).auth, 'ask');
  });
});
