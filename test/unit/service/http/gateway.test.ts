import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { reasonOfCloseCode, SUBPROTOCOL, type ServerDisconnectReason } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let base: string;
beforeEach(async () => {
  service = await createTestService();
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  base = `ws://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterEach(() => service.close());

/** Creates a session. Returns its id and its path with the token. */
async function createSession(): Promise<{ id: string; path: string }> {
  const headers = { authorization: API_KEY };
  const response = await service.app.inject({ method: 'POST', url: '/v0/vm', headers });
  const body = response.json<{ session_id: string; embed_url: string }>();
  const url = new URL(body.embed_url);
  return { id: body.session_id, path: url.pathname + url.search };
}

/** Resolves to the code and reason with which the service closes a WebSocket. */
async function refusal(path: string, protocol = SUBPROTOCOL) {
  const socket = new WebSocket(base + path, protocol);
  const [code, message] = (await once(socket, 'close')) as [number, Buffer];
  return { reason: reasonOfCloseCode(code), message: String(message) };
}

/** Sends raw bytes. Resolves to the answer until the connection ends. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('a viewer', () => {
  it('is passed to the host of its session, without data that the host does not need', async () => {
    const { path } = await createSession();
    const socket = new WebSocket(base + path, SUBPROTOCOL, {
      headers: { cookie: 'a=b', authorization: 'x' },
    });
    await once(socket, 'error');
    const [handed] = service.pool.last.viewers;
    assert.ok(handed);
    const { request, userId } = handed.viewer;
    assert.match(userId, /^[0-9a-f-]{36}$/);
    assert.equal(request.headers['sec-websocket-protocol'], SUBPROTOCOL);
    assert.ok(request.headers['sec-websocket-key']);
    assert.doesNotMatch(JSON.stringify(handed.viewer), /token|cookie|authorization/);
  });
});

describe('a refused viewer learns the reason after a complete handshake', () => {
  it('an unknown session and a wrong token give the same answer', async () => {
    const { path } = await createSession();
    const [address] = path.split('?');
    const unknown = `/${Buffer.alloc(16, 1).toString('base64url')}?token=${'A'.repeat(43)}`;
    const answers = await Promise.all([
      refusal(unknown),
      refusal(`${address}?token=${'A'.repeat(43)}`),
      refusal(`${address}?token=`),
      refusal(`${address}`),
    ]);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0].reason, 'unauthorized');
    assert.equal(service.pool.last.viewers.length, 0);
  });

  it('an address that no session can have gives the answer of an unknown session', async () => {
    const unknown = await refusal(`/${Buffer.alloc(16, 1).toString('base64url')}?token=abc`);
    assert.equal(unknown.reason, 'unauthorized');
    for (const path of ['/', '/nonsense?token=abc', '/v0/vm'])
      assert.deepEqual(await refusal(path), unknown, path);
  });

  it('a viewer with the token receives the reason why the session ended', async () => {
    for (const reason of ['request', 'inactive', 'crashed'] satisfies ServerDisconnectReason[]) {
      const { path } = await createSession();
      service.pool.last.listener.onEnded(reason, 'It ended.');
      const answer = await refusal(path);
      assert.equal(answer.reason, reason);
      assert.match(answer.message, /^This session .*\.$/);
    }
  });

  it('a page with another protocol version is asked to reload', async () => {
    const { path } = await createSession();
    const answer = await refusal(path, 'cloud-browser.v999');
    assert.equal(answer.reason, 'unsupported');
    assert.match(answer.message, /Reload/);
  });
});

describe('a refused viewer that goes on sending', () => {
  const kinds = { 'empty texts': 0x81, 'empty pings': 0x89, 'unfinished texts': 0x01 };
  for (const [what, first] of Object.entries(kinds))
    it(`is disconnected before its time to say goodbye has passed: ${what}`, async (context) => {
      context.mock.timers.enable({ apis: ['setTimeout'] });
      const { port } = service.app.server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      const path = `/${Buffer.alloc(16, 1).toString('base64url')}?token=abc`;
      const key = Buffer.alloc(16).toString('base64');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(String(answer), /^HTTP\/1\.1 101 /);
      const masked = [0x80, 0, 0, 0, 0];
      socket.write(Buffer.from([first, ...masked]));
      // The later frames of an unfinished text continue it.
      const next = first === 0x01 ? 0x00 : first;
      for (let count = 0; count < 1_000; count++) socket.write(Buffer.from([next, ...masked]));
      // The end can also be an error, because the service does not read the rest.
      await new Promise((resolve) => socket.once('close', resolve));
    });
});

describe('an upgrade request of another client', () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nHost: x\r\n';

  it('is refused in plain HTTP and never ends the service', async () => {
    const { path } = await createSession();
    assert.match(
      await exchange(`GET /elsewhere HTTP/1.1\r\n${upgrade}\r\n`),
      /^HTTP\/1\.1 404 .*err_not_found/s,
    );
    assert.match(await exchange(`POST ${path} HTTP/1.1\r\n${upgrade}\r\n`), /^HTTP\/1\.1 400 /);
    assert.match(
      await exchange(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`),
      /^HTTP\/1\.1 400 /,
    );
    // Looks like a viewer with a wrong token, but lacks the handshake's key.
    assert.match(await exchange(`GET ${path}x HTTP/1.1\r\n${upgrade}\r\n`), /^HTTP\/1\.1 400 /);
    assert.equal((await service.app.inject('/livez')).statusCode, 200);
  });

  it('can disconnect at any moment', async () => {
    const { path } = await createSession();
    for (let count = 0; count < 20; count++) {
      const socket = connect(Number(new URL(base).port), '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\n${upgrade}Sec-WebSocket-Protocol: ${SUBPROTOCOL}\r\n\r\n`);
      await once(socket, 'connect');
      socket.resetAndDestroy();
    }
    assert.equal((await service.app.inject('/livez')).statusCode, 200);
  });
});
