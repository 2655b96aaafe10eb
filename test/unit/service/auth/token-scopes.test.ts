import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { SUBPROTOCOL } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { TOKEN_SCOPES, type TokenScope } from '../../../../server/src/host-protocol.js';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

/** Sends a request or connects with a token. Resolves to true if the service lets it through. */
type Way = (token: string) => Promise<boolean>;

/** Endpoints below a session's address that need no token of the session. */
const OPEN = new Set([
  'GET /{address}/ok',
  'GET /{address}/files/{ticket}',
  'POST /{address}/files/{ticket}',
]);
const PROGRAMS = /^\w+ \/\{address\}\/(computer\/|downloads\/|uploads|screenshot|handoffs|json\/|mcp$)/;

/** Origins that are not listed. Undefined: a program, which sends none. */
const ORIGINS = [undefined, 'https://elsewhere.example', 'null', 'http://127.0.0.1', 'chrome-extension://a'];

let service: TestService;
let session: Access;
let path: string;
let base: string;
const tokens = new Map<TokenScope, string>();
const ways = new Map<string, Way>();
const expected = new Map<string, readonly TokenScope[]>();

/** Resolves to the status of a refused upgrade. 0: the host got the socket, and ended it. */
async function upgrade(url: string, protocols: string[], headers: Record<string, string> = {}) {
  const { viewers, programs } = service.pool.last;
  const before = viewers.length + programs.length;
  const socket = new WebSocket(base + url, protocols, { headers });
  const status = await new Promise<number>((resolve) => {
    socket.on('unexpected-response', (_request: unknown, { statusCode = 0 }: IncomingMessage) =>
      resolve(statusCode),
    );
    socket.on('close', (code: number) => resolve(code));
    socket.on('error', () => undefined);
  });
  socket.terminate();
  return viewers.length + programs.length > before ? 0 : status;
}

const cdp = (token: string, origin?: string) =>
  upgrade(`${path}/devtools/browser?token=${token}`, [], origin === undefined ? {} : { origin });

function request(method: string, template: string): Way {
  const url = template
    .replace('/{address}', path)
    .replace('{method}', template.includes('dialogs') ? 'list' : 'query')
    .replace(/\{\w+\}/, 'x');
  return async (token) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const payload = method === 'POST' ? { payload: '{}' } : {};
    const { statusCode } = await service.app.inject({ method: method as 'GET', url, headers, ...payload });
    return statusCode !== 401 && statusCode !== 403;
  };
}

before(async () => {
  service = await createTestService();
  const api = new ApiCaller(service);
  session = await api.begin({ automation: true });
  path = new URL(session.embed_url).pathname;
  for (const scope of TOKEN_SCOPES) {
    const issued = await api.control(session, 'tokens', { scope });
    tokens.set(scope, issued.json<{ token: string }>().token);
  }
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  base = `ws://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  const { paths } = (await service.app.inject('/openapi.json')).json<{ paths: Record<string, object> }>();
  for (const [template, methods] of Object.entries(paths))
    for (const verb of Object.keys(methods)) {
      const name = `${verb.toUpperCase()} ${template}`;
      const isBelow = template.startsWith('/{address}');
      if (OPEN.has(name) || (!isBelow && !template.startsWith('/v0/'))) continue;
      ways.set(name, request(verb.toUpperCase(), template));
      const allowed: TokenScope[] = !isBelow ? [] : PROGRAMS.test(name) ? ['automation', 'admin'] : ['admin'];
      expected.set(name, allowed);
    }
  ways.set('embed page', async (token) => {
    return (await service.app.inject(`${path}?token=${token}`)).statusCode === 200;
  });
  ways.set('viewer', async (token) => (await upgrade(`${path}?token=${token}`, [SUBPROTOCOL])) === 0);
  ways.set('devtools/browser', async (token) => (await cdp(token)) === 0);
  expected.set('embed page', ['view', 'control']);
  expected.set('viewer', ['view', 'control']);
  expected.set('devtools/browser', ['automation', 'admin']);
});
after(() => service.close());

describe('a token of each scope', () => {
  it('opens the endpoints of its scope, and no other', async () => {
    const lines: string[] = [];
    const wrong: string[] = [];
    for (const [name, way] of ways) {
      const cells: string[] = [];
      for (const [scope, token] of tokens) {
        const passes = await way(token);
        cells.push((passes ? 'yes' : '-').padEnd(11));
        if (passes !== expected.get(name)?.includes(scope)) wrong.push(`${scope}: ${name} is ${passes}`);
      }
      lines.push(`${name.padEnd(42)}${cells.join('')}`);
    }
    const head = TOKEN_SCOPES.map((scope) => scope.padEnd(11)).join('');
    console.log([''.padEnd(42) + head, ...lines].join('\n'));
    assert.deepEqual(wrong, []);
    assert.ok(ways.size > 30);
  });

  it('drives no session from a page whose origin is not listed', async () => {
    const token = tokens.get('automation') ?? assert.fail();
    const of = (method: 'GET' | 'POST', url: string, origin?: string) =>
      service.app
        .inject({
          ...{ method, url: path + url },
          headers: { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }) },
          ...(method === 'POST' && { payload: {} }),
        })
        .then(({ statusCode }) => statusCode);
    const endpoints: [name: string, ask: (origin?: string) => Promise<number>][] = [
      ['devtools/browser', (origin) => cdp(token, origin)],
      ['json/version', (origin) => of('GET', '/json/version', origin)],
      ['json/list', (origin) => of('GET', '/json/list', origin)],
      ['mcp', (origin) => of('POST', '/mcp', origin)],
    ];
    const lines: string[] = [];
    for (const [name, ask] of endpoints) {
      const cells: number[] = [];
      for (const origin of ORIGINS) cells.push(await ask(origin));
      lines.push(`${name.padEnd(20)}${cells.map((cell) => String(cell).padEnd(28)).join('')}`);
      const [program, ...pages] = cells;
      assert.notEqual(program, 403, name);
      assert.deepEqual(
        pages,
        pages.map(() => 403),
        name,
      );
    }
    const head = ORIGINS.map((origin = 'none') => origin.padEnd(28)).join('');
    console.log(['origin'.padEnd(20) + head, ...lines].join('\n'));
  });
});
