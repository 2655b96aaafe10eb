import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { SUBPROTOCOL } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

interface Created {
  session_id: string;
  embed_url: string;
  admin_token: string;
  cdp_url?: string;
  warnings?: string[];
}

let service: TestService;
let port: number;
beforeEach(async () => {
  service = await createTestService();
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  port = (service.app.server.address() as AddressInfo).port;
});
afterEach(() => service.close());

async function create(automation?: unknown): Promise<Created> {
  const headers = { authorization: API_KEY };
  const payload = automation === undefined ? {} : { automation };
  return (await service.app.inject({ method: 'POST', url: '/v0/vm', headers, payload })).json();
}

/** Connects as {@link connect}. Resolves to the body of the refusal. */
async function refusalOf(url: string): Promise<{ code: string; message: string }> {
  const { pathname, search } = new URL(url);
  const socket = new WebSocket(`ws://127.0.0.1:${port}${pathname}${search}`);
  socket.on('error', () => undefined);
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  return (await json(answer)) as { code: string; message: string };
}

/** Resolves to the status with which the service refuses an upgrade, or to `passed`. */
async function connect(url: string, headers: Record<string, string> = {}): Promise<number | 'passed'> {
  const passed = service.pool.last.programs.length;
  const { pathname, search } = new URL(url);
  const socket = new WebSocket(`ws://127.0.0.1:${port}${pathname}${search}`, { headers });
  const status = await new Promise<number>((resolve) => {
    socket.on('unexpected-response', (_request: unknown, { statusCode = 0 }: IncomingMessage) =>
      resolve(statusCode),
    );
    // The fake host ends the socket.
    socket.on('error', () => resolve(0));
  });
  socket.terminate();
  return service.pool.last.programs.length > passed ? 'passed' : status;
}

const cdpOf = ({ cdp_url: url }: Created) => url ?? assert.fail('There is no cdp_url.');

describe('automation of a session', () => {
  // Proves: automation
  it('has an address only if the create request asks for it', async () => {
    const { cdp_url: none, embed_url: embed, admin_token: admin } = await create();
    assert.equal(none, undefined);
    const { pathname } = new URL(embed);
    assert.equal(await connect(`http://a${pathname}/devtools/browser?token=${admin}`), 409);
    const url = cdpOf(await create(true));
    assert.match(url, /^wss:\/\/[^/]+\/[\w-]{22}\/devtools\/browser\?token=[\w-]{43}$/);
    assert.equal(await connect(url), 'passed');
    assert.deepEqual(service.pool.last.session.automation, {
      ...{ keepAlive: false, holdSeconds: 30, name: 'Agent', roles: ['chrome_apis', 'resize', 'control'] },
    });
  });

  it('takes its settings from the request', async () => {
    const { warnings } = await create({
      ...{ keep_alive: true, hold_seconds: 900, name: 'Helper', roles: ['control', 'nothing'] },
    });
    const expected = { keepAlive: true, holdSeconds: 600, name: 'Helper', roles: ['control'] };
    assert.deepEqual(service.pool.last.session.automation, expected);
    assert.equal(warnings?.length, 2);
  });

  it('accepts the token in the address or as a bearer, and passes on neither', async () => {
    const url = new URL(cdpOf(await create(true)));
    const token = url.searchParams.get('token') ?? '';
    url.search = '';
    assert.equal(await connect(url.href, { authorization: `Bearer ${token}` }), 'passed');
    const [{ client } = assert.fail()] = service.pool.last.programs;
    assert.doesNotMatch(JSON.stringify(client), /token=|authorization/);
  });

  it('names the methods of computer use to a client that calls another one', async () => {
    const { embed_url } = await create({});
    const url = `${new URL(embed_url).pathname}/computer/double_click`;
    const response = await service.app.inject({ method: 'POST', url, payload: {} });
    assert.equal(response.statusCode, 404);
    assert.match(response.json<{ message: string }>().message, /Use one of .*\bclick\b/);
  });

  it('refuses other tokens, unknown sessions and ended sessions', async () => {
    const first = await create(true);
    const url = new URL(cdpOf(first));
    const of = (token: string) => `${url.origin}${url.pathname}?token=${token}`;
    assert.equal(await connect(of('wrong')), 401);
    assert.equal(await connect(of('')), 401);
    assert.equal(await connect(of(new URL(first.embed_url).searchParams.get('token') ?? '')), 401);
    assert.equal(await connect(cdpOf(await create(true)).replace(/[\w-]{22}/, 'A'.repeat(22))), 401);
    const headers = { authorization: API_KEY };
    await service.app.inject({ method: 'DELETE', url: `/v0/vm/${first.session_id}`, headers });
    assert.equal(await connect(url.href), 400);
  });

  it('refuses programs that connect too often', async () => {
    const created = await create(true);
    for (let count = 0; count < 60; count++) assert.equal(await connect(cdpOf(created)), 'passed');
    const { code, message } = await refusalOf(cdpOf(created));
    assert.equal(code, 'err_too_many_requests');
    assert.match(
      message,
      /^Programs connect .* too often\. Keep one connection open .* again in 1 second\.$/,
    );
    service.clock.advance(200);
    assert.deepEqual([await connect(cdpOf(created)), await connect(cdpOf(created))], ['passed', 429]);
    assert.equal(await connect(cdpOf(await create(true))), 'passed', 'another session');
  });

  it('refuses programs whose addresses connect too often without a token, and keeps viewers', async () => {
    const created = await create(true);
    const wrong = cdpOf(created).replace(/=.*/, '=wrong');
    const statuses = new Set<number | 'passed'>();
    for (let count = 0; count < 200; count++) statuses.add(await connect(wrong));
    assert.deepEqual([...statuses], [401, 429]);
    const url = new URL(created.embed_url);
    const viewer = new WebSocket(`ws://127.0.0.1:${port}${url.pathname}${url.search}`, SUBPROTOCOL);
    viewer.on('error', () => undefined);
    await new Promise((resolve) => viewer.on('close', resolve));
    assert.equal(service.pool.last.viewers.length, 1);
  });

  it('refuses every page whose origin is not listed', async () => {
    const url = cdpOf(await create(true));
    for (const origin of ['https://example.com', 'null', `http://127.0.0.1:${port}`])
      assert.equal(await connect(url, { origin }), 403, origin);
  });

  it('slows down clients that guess tokens in addresses', async () => {
    const { pathname } = new URL(cdpOf(await create(true)));
    const base = pathname.replace('/devtools/browser', '');
    const statuses: number[] = [];
    for (let count = 0; count < 101; count++) {
      const answer = await service.app.inject({ url: `${base}/json/version?token=guess${count}` });
      statuses.push(answer.statusCode);
    }
    assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [100, 429]);
  });

  it('does not count a valid token as a guess if the session has no automation, or has ended', async () => {
    const [plain, ended] = [await create(), await create(true)];
    const headers = { authorization: API_KEY };
    await service.app.inject({ method: 'DELETE', url: `/v0/vm/${ended.session_id}`, headers });
    for (const [{ embed_url: url, admin_token: token }, status] of [
      [plain, 409],
      [ended, 400],
    ] as const) {
      const statuses = new Set<number>();
      for (let count = 0; count < 101; count++) {
        const { pathname } = new URL(url);
        const answer = await service.app.inject({ url: `${pathname}/json/version?token=${token}` });
        statuses.add(answer.statusCode);
      }
      assert.deepEqual([...statuses], [status]);
    }
  });

  it('tells clients the address of its WebSocket', async () => {
    const url = new URL(cdpOf(await create(true)));
    const base = url.pathname.replace('/devtools/browser', '');
    for (const path of ['json/version', 'json/version/']) {
      const answer = await service.app.inject({ url: `${base}/${path}${url.search}` });
      assert.equal(answer.json<{ webSocketDebuggerUrl: string }>().webSocketDebuggerUrl, url.href);
    }
    assert.equal((await service.app.inject({ url: `${base}/json/version` })).statusCode, 401);
    const headers = { origin: 'https://example.com' };
    const foreign = await service.app.inject({ url: `${base}/json/version${url.search}`, headers });
    assert.equal(foreign.statusCode, 403);
  });
});
