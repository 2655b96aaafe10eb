import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { reasonOfCloseCode, SUBPROTOCOL } from 'cloud-browser/protocol';
import { WebSocket, type ClientOptions } from 'ws';
import { createLog } from '../../../../server/src/platform/log.js';
import { AllowedOrigins } from '../../../../server/src/platform/network/origins.js';
import { codeOf } from '../../../fakes/api-caller.js';
import { sendLongBody } from '../../../fakes/long-body.js';
import { API_KEY, createTestService, PUBLIC_URL, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let opened = false;
let port: number;
let lines: string[];
afterEach(async () => {
  if (opened) await service.close();
  opened = false;
});

async function open(options: Parameters<typeof createTestService>[0] = {}): Promise<void> {
  lines = [];
  const log = createLog('info', (line) => lines.push(line));
  service = await createTestService({ log, ...options });
  opened = true;
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = service.app.server.address() as AddressInfo);
}

async function dial(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves to all data until the connection ends. */
async function answerOf(socket: Socket): Promise<string> {
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  if (!socket.destroyed) await once(socket, 'close');
  return answer;
}

const viewer = (path: string, options: ClientOptions = {}) =>
  new WebSocket(`ws://127.0.0.1:${port}${path}`, SUBPROTOCOL, options);

/** Resolves to the reason with which the service closes a WebSocket; undefined: without a reason. */
function reasonFor(socket: WebSocket): Promise<string | undefined> {
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.on('close', (code) => resolve(reasonOfCloseCode(code))));
}

const ask = (credential: string, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'GET', url: '/v0/vm', headers: { authorization: credential, ...headers } });

async function begin(): Promise<URL> {
  const headers = { authorization: API_KEY };
  const response = await service.app.inject({ method: 'POST', url: '/v0/vm', headers });
  return new URL(response.json<{ embed_url: string }>().embed_url);
}

describe('a refused request', () => {
  const WRONG = 'POST /v0/vm HTTP/1.1\r\nHost: x\r\nAuthorization: wrong\r\n';
  const UPGRADE = 'Connection: upgrade\r\nUpgrade: websocket\r\n';

  it('is answered and closed, however much the client still sends', async () => {
    await open();
    const head = 'POST /v0/vm HTTP/1.1\r\nAuthorization: wrong';
    const { answer, sent } = await sendLongBody(port, head, 100_000_000);
    assert.match(answer, /^HTTP\/1\.1 401 /);
    assert.match(answer, /connection: close/i);
    assert.ok(sent < 20_000_000, `${sent} bytes were taken`);
  });

  it('without a body keeps the connection open', async () => {
    await open();
    const socket = await dial();
    socket.write('GET /v0/vm HTTP/1.1\r\nHost: x\r\nAuthorization: wrong\r\n\r\n');
    await once(socket, 'data');
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(await answerOf(socket), /^HTTP\/1\.1 200 /);
  });

  it('with a small body keeps the connection open', async () => {
    await open();
    const socket = await dial();
    socket.write(`${WRONG}Content-Length: 2\r\n\r\n`);
    const [refusal] = (await once(socket, 'data')) as [Buffer];
    assert.match(String(refusal), /^HTTP\/1\.1 401 /);
    socket.write('{}GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(await answerOf(socket), /^HTTP\/1\.1 200 /);
  });

  for (const [what, head, more, status] of [
    ['with a body of unknown length', `${WRONG}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n', 401],
    ['that is not HTTP', '\0\0\0\0\r\n\r\n', 'x', 400],
    ['for another upgrade', `GET /nothing HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`, 'x', 404],
  ] as const)
    it(`${what} is closed even if its sender continues`, async () => {
      await open();
      const socket = await dial();
      socket.write(head);
      const sending = setInterval(() => socket.write(more), 20);
      assert.match(await answerOf(socket), new RegExp(`^HTTP/1.1 ${status} `));
      clearInterval(sending);
    });

  it('that arrives too slowly is abandoned after its time limit', async () => {
    await open();
    // The service's settings, with shorter times.
    Object.assign(service.app.server, { headersTimeout: 300 });
    const socket = await dial();
    socket.write('GET /livez HTTP/1.1\r\n');
    const more = setInterval(() => socket.write('a'), 50);
    assert.match(await answerOf(socket), /took too long/);
    clearInterval(more);
  });
});

describe('connections', () => {
  it('of one address are limited, and a new one is accepted when one ends', async () => {
    await open({ limits: { inAll: 100, perAddress: 3 } });
    const first = await Promise.all([dial(), dial(), dial()]);
    assert.equal(await answerOf(await dial()), '');
    const closed = once(first[0], 'close');
    first[0].destroy();
    await closed;
    // The service notices it at the next read.
    let answer = '';
    while (answer === '') {
      const socket = await dial();
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      answer = await answerOf(socket);
    }
    assert.match(answer, /^HTTP\/1\.1 200 /);
    for (const socket of first) socket.destroy();
  });

  it('are limited in total', async () => {
    await open({ limits: { inAll: 2, perAddress: undefined } });
    const first = await Promise.all([dial(), dial()]);
    assert.equal(await answerOf(await dial()), '');
    for (const socket of first) socket.destroy();
  });
});

describe('a client that guesses keys', () => {
  it('is slowed down after a hundred wrong keys, and does not learn that a key is right', async () => {
    await open();
    const statuses: number[] = [];
    for (let count = 0; count < 150; count++) statuses.push((await ask(`guess ${count}`)).statusCode);
    assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [100, 429]);
    const refused = await ask(API_KEY);
    assert.deepEqual(codeOf(refused), [429, 'err_too_many_attempts']);
    assert.equal(refused.headers['retry-after'], '1');
    service.clock.advance(1_000);
    assert.equal((await ask(API_KEY)).statusCode, 200);
  });

  it('does not lock out a client with the right key at the same address', async () => {
    await open();
    assert.equal((await ask(API_KEY)).statusCode, 200);
    for (let count = 0; count < 150; count++) await ask(`guess ${count}`);
    assert.equal((await ask(API_KEY)).statusCode, 200);
    assert.equal((await ask('second-key')).statusCode, 429);
  });

  it('learns nothing from endpoints that need no key', async () => {
    await open();
    const statuses: number[] = [];
    for (let count = 0; count < 150; count++) {
      const headers = { authorization: `guess ${count}` };
      assert.equal((await service.app.inject({ method: 'GET', url: '/livez', headers })).statusCode, 200);
      statuses.push((await ask(`guess ${count}`)).statusCode);
    }
    assert.equal(statuses.at(-1), 429);
  });

  it('is identified by the address from a trusted proxy', async () => {
    await open({ proxies: 1 });
    for (let count = 0; count < 150; count++) await ask(`guess ${count}`, { 'x-forwarded-for': '192.0.2.1' });
    assert.equal((await ask(API_KEY, { 'x-forwarded-for': '192.0.2.1' })).statusCode, 429);
    assert.equal((await ask(API_KEY, { 'x-forwarded-for': '192.0.2.2' })).statusCode, 200);
  });

  it('with mostly right keys is not slowed down', async () => {
    await open();
    for (let count = 0; count < 500; count++) assert.equal((await ask(API_KEY)).statusCode, 200);
  });

  it('receives no more answers if it guesses tokens of embed URLs', async () => {
    await open();
    const { pathname } = await begin();
    const knock = (token: string) => reasonFor(viewer(`${pathname}?token=${token}`));
    const reasons: (string | undefined)[] = [];
    for (let count = 0; count < 120; count++) reasons.push(await knock(`guess${count}`));
    assert.equal(reasons.filter((reason) => reason === 'unauthorized').length, 100);
    assert.equal(reasons.at(-1), undefined);
  });
});

describe('the origins that may show sessions', () => {
  const own = () => 'http://127.0.0.1:8080';
  const listed = ['https://shop.example.com'];

  it("are all by default, or the listed ones and the service's own", () => {
    assert.ok(new AllowedOrigins(undefined, own).allows('https://anywhere.example'));
    const origins = new AllowedOrigins(listed, own);
    for (const allowed of [...listed, own(), 'http://localhost:8080', undefined])
      assert.equal(origins.allows(allowed), true, allowed);
    const resembling = ['https://shop.example.com.evil.example', 'http://shop.example.com'];
    const ports = ['https://shop.example.com:8443', 'http://localhost:9090'];
    for (const other of [...resembling, ...ports, 'null', ''])
      assert.equal(origins.allows(other), false, other);
  });

  it('must be listed as origins', () => {
    const parsed = AllowedOrigins.parse(['https://a.example', 'http://b.example:81/']);
    assert.deepEqual(parsed, ['https://a.example', 'http://b.example:81']);
    const paths = ['https://a.example/path', 'https://*.a.example;x', 'app://a/path', 'app://a;x'];
    for (const wrong of ['a.example', '*', 'ftp://a.example', 'file://', 'file://a', 'null', ...paths])
      assert.equal(AllowedOrigins.parse([wrong]), undefined, wrong);
  });

  it('may be those of packaged apps and of extensions', () => {
    const listed = ['capacitor://localhost', 'app://shop:81', `chrome-extension://${'a'.repeat(32)}`];
    assert.deepEqual(AllowedOrigins.parse(listed), listed);
    assert.deepEqual(AllowedOrigins.parse(['ionic://localhost/']), ['ionic://localhost']);
    const origins = new AllowedOrigins(listed, () => 'http://localhost:8080');
    for (const allowed of listed) assert.equal(origins.allows(allowed), true, allowed);
    for (const other of ['ionic://localhost', 'app://shop', 'capacitor://localhost.evil.example', 'null'])
      assert.equal(origins.allows(other), false, other);
  });

  it('are the only ones that may connect and frame the page', async () => {
    await open({ origins: listed });
    const url = await begin();
    // A viewer that is admitted goes to a host, here a fake that closes the socket.
    const reason = (origin: string) => reasonFor(viewer(url.pathname + url.search, { origin }));
    assert.equal(await reason('https://evil.example'), 'unauthorized');
    assert.equal(await reason('https://shop.example.com'), undefined);
    assert.equal(await reason(PUBLIC_URL), undefined);
    const headers = { 'sec-fetch-dest': 'iframe' };
    const page = await service.app.inject({ url: url.pathname + url.search, headers });
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /frame-ancestors 'self' https:\/\/shop\.example\.com$/);
  });
});

describe('the audit log', () => {
  it('has one line of JSON for each create and each refusal, without secrets', async () => {
    await open();
    const url = await begin();
    await ask('a-wrong-key');
    await once(viewer(`${url.pathname}?token=wrong-token`), 'close');
    const audit = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ audit: what }) => what)
      .map(({ audit: what, address, key, status, reason }) => [what, address, key ?? status ?? reason]);
    assert.deepEqual(audit, [
      ['created', '127.0.0.1', 1],
      ['refused', '127.0.0.1', 401],
      ['refused', '127.0.0.1', 'unauthorized'],
    ]);
    assert.doesNotMatch(lines.join(''), /test-key|wrong-key|wrong-token|token=/);
  });

  it('cannot be filled by one address', async () => {
    await open();
    for (let count = 0; count < 90; count++) await ask(`guess ${count}`);
    assert.equal(lines.filter((line) => line.includes('"refused"')).length, 20);
  });
});
