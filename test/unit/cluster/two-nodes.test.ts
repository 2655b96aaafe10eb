import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SUBPROTOCOL } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { PEER_HEADER, PeerSeal } from '../../../server/src/cluster/peers/peer-seal.js';
import { ServiceError } from '../../../server/src/service-error.js';
import { API_KEY, OPERATOR_KEY } from '../../fakes/test-service.js';
import { SECRET } from '../../fakes/test-peers.js';
import { twoNodes } from '../../fakes/two-nodes.js';
import type { Access } from '../../fakes/api-caller.js';

let cluster: Awaited<ReturnType<typeof twoNodes>>;
beforeEach(async () => void (cluster = await twoNodes()));
afterEach(() => cluster.close());

const headers = { authorization: `Bearer ${API_KEY}` };
const ask = (path: string, init: RequestInit = {}) => fetch(cluster.a.url + path, { headers, ...init });

async function create(parameters: unknown = {}): Promise<Access> {
  const response = await ask('/v0/vm', { method: 'POST', body: JSON.stringify(parameters) });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Access;
}

/** The node on which a session with this tag starts. Another create with the tag must find the session. */
async function nodeOf(tag: string): Promise<string> {
  const { session_id: id } = await create({ tag });
  assert.equal((await create({ tag })).session_id, id);
  return id.slice(0, 6);
}

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

/** Returns the status with which a WebSocket upgrade is refused. */
async function upgradeStatus(path: string, more: Record<string, string> = {}): Promise<number | undefined> {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': SUBPROTOCOL };
  const outgoing = request(cluster.a.url + path, { headers: { ...upgrade, ...more }, agent: false });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

function pathOf({ embed_url: url }: Access): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

describe('a session created at one node and placed on another', () => {
  it('runs on the other node and has its name', async () => {
    const { session_id: id } = await create({ start_url: 'https://example.com/' });
    assert.match(id, /^bbbbbb/);
    assert.deepEqual([cluster.a.service.pool.hosts.length, cluster.b.service.pool.hosts.length], [0, 1]);
    assert.equal(cluster.b.service.pool.last.session.startUrl, 'https://example.com/');
  });

  it('can be read, controlled and ended through either node', async () => {
    const session = await create();
    const view = await ask(`/v0/vm/${session.session_id}`);
    assert.equal(((await view.json()) as { state: string }).state, 'running');
    const authorization = `Bearer ${session.admin_token}`;
    const path = `${new URL(session.embed_url).pathname}/timeout`;
    const body = JSON.stringify({ absolute: 77 });
    const changed = await ask(path, { method: 'POST', headers: { authorization }, body });
    assert.equal(((await changed.json()) as { absolute: number }).absolute, 77);
    const wrong = await ask(path, { method: 'POST', headers: { authorization: 'x' }, body });
    assert.equal(wrong.status, 401);
    const ended = await ask(`/v0/vm/${session.session_id}`, { method: 'DELETE' });
    assert.equal(ended.status, 200);
    assert.equal(cluster.b.service.pool.last.stopReason, 'request');
  });

  it('is refused for invalid fields with the error of its node', async () => {
    cluster.b.service.pool.failure = new ServiceError('err_profile_not_found', 'p');
    const response = await ask('/v0/vm', { method: 'POST' });
    assert.equal(response.status, 400);
    assert.equal(await codeOf(response), 'err_profile_not_found');
  });

  it('is started on another node with its tag if its own node fails to start it', async () => {
    cluster.b.service.pool.failure = new ServiceError('err_session_failed', 'its host failed.');
    assert.equal(await nodeOf('t'), 'aaaaaa');
    assert.equal(cluster.a.service.pool.hosts.length, 1);
    assert.equal(cluster.b.service.sessions.held.size, 0);
  });

  it('is returned even if its start takes most of a minute', async () => {
    const { setTimeout: wait } = globalThis;
    // Timers of 20 to 59 s fire at once.
    mock.method(globalThis, 'setTimeout', (run: () => void, milliseconds: number) =>
      wait(run, milliseconds >= 20_000 && milliseconds < 60_000 ? 0 : milliseconds),
    );
    let open: () => void = () => undefined;
    const { pool, sessions } = cluster.b.service;
    pool.gate = new Promise((resolve) => (open = resolve));
    const created = create();
    created.catch(() => undefined);
    for (let turns = 0; turns < 1_000 && sessions.held.size === 0; turns++) await nextTurn();
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    mock.restoreAll();
    open();
    assert.match((await created).session_id, /^bbbbbb/);
  });

  it('ends if its client leaves before the answer, because nobody knows its id', async () => {
    let open: () => void = () => undefined;
    const { pool, sessions } = cluster.b.service;
    pool.gate = new Promise((resolve) => (open = resolve));
    const leaving = new AbortController();
    const create = ask('/v0/vm', { method: 'POST', signal: leaving.signal });
    for (let turns = 0; turns < 1_000 && sessions.held.size === 0; turns++) await nextTurn();
    leaving.abort();
    await assert.rejects(create);
    // The node learns that the client has left before the session has begun.
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    open();
    for (let turns = 0; turns < 10_000 && sessions.held.size > 0; turns++) await nextTurn();
    assert.equal(pool.last.stopReason, 'request');
  });

  it('is refused with a time to retry if no node starts it', async () => {
    for (const { service } of [cluster.a, cluster.b])
      service.pool.failure = new ServiceError('err_session_failed', 'its host failed.');
    const response = await ask('/v0/vm', { method: 'POST', body: JSON.stringify({ tag: 't' }) });
    assert.equal(response.status, 503);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    assert.equal(await codeOf(response), 'err_session_failed');
    assert.equal(cluster.nodes.tags.size, 0);
  });

  it('is the same for two creates with its tag through both nodes', async () => {
    const [one, other] = await Promise.all([create({ tag: 't' }), create({ tag: 't' })]);
    assert.equal(one.session_id, other.session_id);
    const init = { method: 'POST', headers, body: JSON.stringify({ tag: 't' }) };
    const third = (await (await fetch(`${cluster.b.url}/v0/vm`, init)).json()) as Access;
    assert.equal(third.session_id, one.session_id);
    assert.equal(cluster.b.service.pool.hosts.length, 1);
  });

  it('can be looked up by its place while the request to start it is on the way', async () => {
    cluster.nodes.tags.set('t', 'bbbbbb00-0000-4000-8000-000000000000');
    const asked = ask('/v0/vm', { method: 'POST', body: JSON.stringify({ tag: 't' }) });
    while (cluster.nodes.missing.length < 2) await nextTurn();
    cluster.nodes.tags.delete('t');
    assert.equal((await asked).status, 200);
    assert.deepEqual(new Set(cluster.nodes.missing), new Set(['bbbbbb00-0000-4000-8000-000000000000']));
  });

  it('is listed by both nodes with the state of its own node', async () => {
    const { session_id: id } = await create();
    for (const { url } of [cluster.a, cluster.b]) {
      const answer = await fetch(`${url}/v0/vm`, { headers });
      const { results } = (await answer.json()) as { results: { id: string; state: string }[] };
      const listed = results.map((one) => [one.id, one.state]);
      assert.deepEqual(listed, [[id, 'running']]);
    }
  });

  it('receives the real addresses of forwarded viewers', async () => {
    const session = await create();
    const socket = new WebSocket(cluster.a.url.replace('http', 'ws') + pathOf(session), SUBPROTOCOL);
    await once(socket, 'error');
    const [handed] = cluster.b.service.pool.last.viewers;
    assert.ok(handed);
    assert.equal(handed.viewer.ip, '127.0.0.1');
    assert.equal(handed.viewer.request.headers[PEER_HEADER], undefined);
  });

  it('has its embed page on either node, only for clients with the token', async () => {
    const session = await create();
    const page = { headers: { accept: 'text/html' } };
    assert.equal((await ask(pathOf(session), page)).status, 200);
    const { pathname } = new URL(session.embed_url);
    assert.equal((await ask(`${pathname}?token=x`, page)).status, 401);
  });
});

describe('a node that does not answer', () => {
  let silent: Server;
  const held = new Set<Socket>();
  beforeEach(async () => {
    // A socket that reads nothing does not notice that the other side has closed.
    silent = createServer((socket) => void held.add(socket.on('error', () => undefined)));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  const end = () => {
    for (const socket of held) socket.destroy();
    held.clear();
    silent.close();
  };
  afterEach(end);
  const ended = async () => {
    end();
    if (silent.listening) await once(silent, 'close');
  };

  /** Makes the address of the other node that of the silent server. */
  const point = (): void => {
    const { port } = silent.address() as AddressInfo;
    const address = { code: 'bbbbbb', url: `http://127.0.0.1:${port}`, publicUrl: '' };
    cluster.nodes.known.set('bbbbbb', { address, state: 'alive' });
  };
  const refused = async (path: string, init: RequestInit = {}) => {
    const response = await ask(path, init);
    const later = Number(response.headers.get('retry-after')) > 0;
    return [response.status, await codeOf(response), later];
  };

  it('is reported to clients of its sessions, whether it refuses connections or is silent', async () => {
    const session = await create();
    point();
    const unreachable = [503, 'err_node_unreachable', true];
    assert.deepEqual(await refused(`/v0/vm/${session.session_id}`), unreachable);
    await ended();
    assert.deepEqual(await refused(`/v0/vm/${session.session_id}`), unreachable);
    assert.equal(await upgradeStatus(pathOf(session)), 503);
  });

  it('is skipped by creates that do not reach it, and keeps no tag', async () => {
    point();
    await ended();
    assert.equal(await nodeOf('t'), 'aaaaaa');
  });

  it('keeps a create that it has received waiting until it is late', async () => {
    const connected = once(silent, 'connection');
    point();
    const created = refused('/v0/vm', { method: 'POST' });
    await connected;
    const { address } = cluster.nodes.known.get('bbbbbb')!;
    cluster.nodes.known.set('bbbbbb', { address, state: 'late' });
    assert.deepEqual(await created, [503, 'err_node_unreachable', true]);
  });

  it('leaves the records of its sessions readable when it is gone', async () => {
    const session = await create();
    cluster.nodes.known.delete('bbbbbb');
    const response = await ask(`/v0/vm/${session.session_id}`);
    assert.equal(((await response.json()) as { session_id: string }).session_id, session.session_id);
  });
});

describe('a request that claims to come from another node', () => {
  const sealOf = (secret: Buffer, node: string) =>
    new PeerSeal(
      secret,
      () => node,
      () => Date.now(),
    );

  it('is refused without a valid seal', async () => {
    const session = await create();
    const seal = sealOf(Buffer.alloc(32, 1), 'aaaaaa');
    const forged = seal.seal({ method: 'GET', url: '/v0/vm', to: 'aaaaaa', clientAddress: '192.0.2.1' });
    const response = await ask('/v0/vm', { headers: { ...headers, [PEER_HEADER]: forged } });
    assert.equal(response.status, 401);
    assert.equal(await upgradeStatus(pathOf(session), { [PEER_HEADER]: forged }), 401);
  });

  it('is required for the endpoints between nodes', async () => {
    const asked = { method: 'POST', body: '{}' };
    assert.equal((await ask('/v0/node/voice', asked)).status, 404);
    const url = '/v0/node/voice';
    const seal = sealOf(SECRET, 'bbbbbb');
    const header = seal.seal({ method: 'POST', url, to: 'aaaaaa', clientAddress: '-' });
    const response = await ask(url, { ...asked, headers: { [PEER_HEADER]: header } });
    assert.deepEqual(await response.json(), { connectedFor: 1_000 });
    assert.equal((await ask(url, { ...asked, headers: { [PEER_HEADER]: header } })).status, 401, 'again');
  });
});

describe('the list of nodes', () => {
  const nodes = async () => {
    const authorization = `Bearer ${OPERATOR_KEY}`;
    const answer = await ask('/v0/nodes', { headers: { authorization } });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { nodes: { code: string; own: boolean; report: unknown }[] }).nodes;
  };

  it('has the reported state of each node', async () => {
    const listed = (await nodes()).map(({ code, own, report }) => [code, own, report !== null]);
    assert.deepEqual(listed, [
      ['aaaaaa', true, true],
      ['bbbbbb', false, true],
    ]);
  });

  it('shows a node that never answers as silent', async () => {
    // A socket that is never read does not notice that it is closed.
    const silent = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const address = { code: 'bbbbbb', url, publicUrl: url };
    cluster.nodes.known.set('bbbbbb', { address, state: 'alive' });
    const reported = (await nodes()).map(({ report }) => report !== null);
    assert.deepEqual(reported, [true, false]);
    silent.close();
  });

  it('does not show other clients the data that nodes exchange', async () => {
    const answer = await ask('/v0/node/report', { method: 'POST', body: '{"seconds":60}' });
    assert.equal(answer.status, 404);
  });
});

describe('a token of a session on another node', () => {
  const issue = async (path: string, order: object) => {
    const issued = await ask(`${path}/tokens`, { method: 'POST', body: JSON.stringify(order) });
    return (await issued.json()) as { token: string; token_id: string };
  };

  it('is issued and revoked through either node, and its end reaches the host of the session', async () => {
    const session = await create();
    const { pathname } = new URL(session.embed_url);
    const { token, token_id: tokenId } = await issue(pathname, { scope: 'view' });
    assert.equal((await ask(`${pathname}?token=${token}`)).status, 200);
    const revoked = await ask(`${pathname}/tokens/${tokenId}`, { method: 'DELETE' });
    assert.equal(revoked.status, 200);
    assert.equal((await ask(`${pathname}?token=${token}`)).status, 401);
    assert.deepEqual(cluster.b.service.pool.last.endedTokens, [{ tokenId, reason: 'token_revoked' }]);
  });

  it('ends the connections of viewers and programs through the other node when it is revoked or expires', async () => {
    const session = await create({ automation: true });
    const { pathname } = new URL(session.embed_url);
    const host = cluster.b.service.pool.last;
    const kept = new Map<string | undefined, Socket>();
    const keep = (tokenId: string | undefined, socket: Socket) => {
      socket.on('error', () => undefined);
      kept.set(tokenId, socket);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n');
    };
    host.attach = ({ token }, socket) => keep(token?.tokenId, socket);
    host.automate = ({ tokenId }, socket) => keep(tokenId, socket);
    host.endToken = (tokenId) => void kept.get(tokenId)?.end();

    for (const [scope, path] of [
      ['view', ''],
      ['automation', '/devtools/browser'],
    ] as const)
      for (const end of ['revoked', 'expired'] as const) {
        const { token, token_id: id } = await issue(pathname, { scope, ttl: 5 });
        const socket = await connected(`${pathname}${path}?token=${token}`);
        const closed = once(socket.resume(), 'close');
        const began = performance.now();
        if (end === 'revoked') await ask(`${pathname}/tokens/${id}`, { method: 'DELETE' });
        else cluster.b.service.clock.advance(5_000);
        await closed;
        console.log(`${scope}, ${end} on another node: ${(performance.now() - began).toFixed(1)} ms`);
      }
  });
});

/** Connects through the first node. Resolves to the socket when the host has accepted it. */
async function connected(path: string): Promise<Socket> {
  const upgrade = {
    ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
    ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': SUBPROTOCOL },
  };
  const outgoing = request(cluster.a.url + path, { headers: upgrade, agent: false });
  outgoing.end();
  const [, socket] = (await once(outgoing, 'upgrade')) as [IncomingMessage, Socket];
  return socket;
}
