import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { getPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { PacRouter } from '../../server/src/egress/pac/pac-router.js';
import { parseRoutes } from '../../server/src/egress/route.js';
import { matchesShell } from '../../server/src/egress/pac/shell-pattern.js';
import { bundlePacProgram } from '../../scripts/lib/pac-program.mjs';
import { EgressProxy, type EgressProxyOptions } from '../fakes/egress-proxy.js';

const require = createRequire(new URL('../../server/package.json', import.meta.url));
const engine = readFileSync(join(dirname(require.resolve('quickjs-wasi/package.json')), 'quickjs.wasm'));

let proxy = new EgressProxy();
const { program } = await bundlePacProgram();
const routers: PacRouter[] = [];
afterEach(() => {
  proxy.close();
  for (const router of routers.splice(0)) router.close();
});

/** A session with a customer's proxy script. `answerLimit`: milliseconds for an answer of the script. */
async function open(
  pac: string,
  options: EgressProxyOptions = {},
  answerLimit = 5_000,
): Promise<EgressProxy> {
  proxy = new EgressProxy({
    allow: ['127.0.0.1'],
    ...options,
    router: (guard) => {
      const router = new PacRouter({ pac, guard, engine, program, answerLimit });
      routers.push(router);
      return (url) => router.routes(url);
    },
  });
  return proxy.listen();
}

/**
 * Returns the niceness of a thread of this process, or -Infinity if the thread has ended. See
 * proc_pid_stat(5).
 */
function nicenessOf(thread: string): number {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  } catch {
    return -Infinity;
  }
}

/** A script that answers the same for every address. */
const always = (answer: string) =>
  `function FindProxyForURL(url, host) { return ${JSON.stringify(answer)}; }`;

describe("a customer's proxy", () => {
  it('carries requests and tunnels, and receives its credentials', async () => {
    const asked: string[] = [];
    const upstream = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => {
        const text = String(data);
        asked.push(text.split(' HTTP')[0] ?? '', /proxy-authorization: (.*)\r/i.exec(text)?.[1] ?? '');
        if (text.startsWith('CONNECT')) socket.write('HTTP/1.1 200 Fine\r\n\r\nearly');
        else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nproxied');
      });
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const place = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    // Only the proxy's address is resolved and checked, because the customer's proxy knows names that the
    // service does not.
    await open(always(`PROXY ${place}`), {
      credentials: 'Basic abc',
      resolve: () => Promise.reject(new Error()),
    });
    assert.equal((await proxy.get('http://inside.example/page')).body, 'proxied');
    const { status, body, socket } = await proxy.tunnel('inside.example:443');
    assert.equal(status, 200);
    assert.equal(body || String((await once(socket, 'data'))[0]), 'early');
    assert.deepEqual(asked, [
      'GET http://inside.example/page',
      'Basic abc',
      'CONNECT inside.example:443',
      'Basic abc',
    ]);
    upstream.close();
  });

  it('is refused at a blocked address', async () => {
    await open(always('PROXY 127.0.0.1:3128'), { allow: [] });
    assert.match((await proxy.get('http://a.example/')).body, /err_egress_refused: loopback/);
    assert.equal((await proxy.tunnel('a.example:443')).status, 403);
  });

  it('that is unreachable is replaced by the next one', async () => {
    await open(always('PROXY 127.0.0.1:1; DIRECT'));
    const port = await proxy.serve((_request, response) => response.end('direct'));
    assert.equal((await proxy.get(`http://a.example:${port}/`)).body, 'direct');
    assert.equal((await proxy.tunnel(`a.example:${port}`)).status, 200);
  });

  it('replaces a direct connection that is refused, and receives the whole request', async () => {
    const upstream = createHttpServer((request, response) => request.pipe(response)).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    await open(always(`DIRECT; PROXY 127.0.0.1:${(upstream.address() as AddressInfo).port}`));
    const request = { method: 'POST', body: 'a body', headers: { 'content-length': '6' } };
    assert.equal((await proxy.get('http://a.example:1/', request)).body, 'a body');
    assert.equal((await proxy.get('http://a.example:1/')).status, 200);
    upstream.close();
  });

  it('that requires other credentials does not make the browser prompt', async () => {
    await open('');
    proxy.close();
    const place = await (async () => {
      const helper = await new EgressProxy().listen();
      const port = await helper.serve((_request, response) =>
        response.writeHead(407, { 'proxy-authenticate': 'Basic realm="x"' }).end(),
      );
      return { helper, port };
    })();
    await open(always(`PROXY 127.0.0.1:${place.port}`));
    const { status, headers } = await proxy.get('http://a.example/');
    assert.equal(status, 502);
    assert.equal(headers['proxy-authenticate'], undefined);
    place.helper.close();
  });

  it('can use SOCKS', async () => {
    const upstream = createServer((socket) => {
      socket.on('error', () => undefined);
      // RFC 1928: the greeting, then a request for a name.
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', (wanted) => {
          assert.equal(wanted.subarray(5, 5 + (wanted[4] ?? 0)).toString(), 'inside.example');
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nsocks'));
        });
      });
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    await open(always(`SOCKS5 127.0.0.1:${(upstream.address() as AddressInfo).port}`));
    assert.equal((await proxy.get('http://inside.example/')).body, 'socks');
    upstream.close();
  });
});

describe('a proxy script', () => {
  // Proves: http_proxy: proxies and scripts
  it('has the addresses and functions of a PAC script, and chooses the proxy', async () => {
    await open(
      `function FindProxyForURL(url, host) {
        if (isInNet(host, '10.0.0.0', '255.0.0.0') && shExpMatch(url, '*/x?z*') && dnsDomainIs(host, '.example')
            && isResolvable(host) && dnsResolve(host) === '10.0.0.7') return 'DIRECT';
        return 'PROXY 127.0.0.1:1';
      }`,
      { allow: ['10.0.0.0/8'], resolve: () => Promise.resolve([{ address: '10.0.0.7', family: 4 }]) },
    );
    assert.match((await proxy.get('http://a.example/nothing')).body, /loopback/);
    assert.deepEqual(await routers[0]?.routes('http://a.example/xyz'), [{ kind: 'direct' }]);
  });

  it('resolves names for many simultaneous requests', async () => {
    await open('function FindProxyForURL(url, host) { return "PROXY " + dnsResolve(host) + ":1"; }', {
      resolve: () => Promise.resolve([{ address: '93.184.216.34', family: 4 }]),
    });
    const hosts = Array.from({ length: 80 }, (_, number) => `http://${number}.example/`);
    const [router] = routers;
    assert.ok(router);
    for (const [route] of await Promise.all(hosts.map((url) => router.routes(url))))
      assert.deepEqual(route, { kind: 'http', host: '93.184.216.34', port: 1 });
  });

  it('cannot read addresses that are blocked for pages', async () => {
    await open('function FindProxyForURL(url, host) { return "PROXY " + dnsResolve(host) + ".example:1"; }', {
      allow: [],
      resolve: () => Promise.resolve([{ address: '10.0.0.7', family: 4 }]),
    });
    const [route] = (await routers[0]?.routes('http://inside.example/')) ?? [];
    assert.deepEqual(route, { kind: 'http', host: 'null.example', port: 1 });
  });

  it('can be given by its address, which is checked like others', async () => {
    const helper = await new EgressProxy().listen();
    const port = await helper.serve(({ url }, response) => {
      if (url === '/moved') response.writeHead(302, { location: '/proxy.pac' }).end();
      else response.end(always('DIRECT'));
    });
    await open(`http://pac.example:${port}/moved`);
    assert.equal((await proxy.get(`http://127.0.0.1:${port}/`)).status, 200);
    proxy.close();
    await open(`http://pac.example:${port}/`, { allow: [] });
    assert.match((await proxy.get('http://a.example/')).body, /err_egress_refused: loopback/);
    proxy.close();
    await open(
      `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(always('DIRECT')).toString('base64')}`,
    );
    assert.equal((await proxy.get(`http://127.0.0.1:${port}/`)).status, 200);
    helper.close();
  });

  const hostile = {
    'never ends': 'function FindProxyForURL() { for (;;); }',
    'never ends while it is loaded': 'for (;;);',
    'cannot be interrupted':
      "function FindProxyForURL() { return 'a'.repeat(4000000).indexOf('a'.repeat(2000000) + 'b'); }",
    'uses ever more memory': "function FindProxyForURL() { let text = 'x'; for (;;) text += text; }",
    'calls itself forever': 'function FindProxyForURL() { return FindProxyForURL(); }',
    throws: "function FindProxyForURL() { throw new Error('no'); }",
    'is not a script': 'nothing at all',
    'returns an unknown proxy type': "function FindProxyForURL() { return 'NONSENSE x'; }",
    'returns no string': 'function FindProxyForURL() { return 7; }',
    'returns a long text': "function FindProxyForURL() { return 'DIRECT' + ';'.repeat(8000000); }",
  };
  for (const [what, pac] of Object.entries(hostile)) {
    it(`that ${what} gives no route, and the proxy continues`, async () => {
      await open(pac);
      for (const path of ['first', 'second']) {
        const { status, body } = await proxy.get(`http://a.example/${path}`);
        assert.equal(status, 502);
        assert.match(body, /err_egress_proxy/);
      }
    });
  }

  it('that computes for long has a thread with a lower priority than the thread of all sessions', async () => {
    const own = getPriority();
    const nicer = () => readdirSync('/proc/self/task').filter((thread) => nicenessOf(thread) > own);
    const before = nicer();
    await open(always('DIRECT'));
    const router = routers.at(-1) ?? assert.fail('There is no router.');
    await router.routes('http://a.example/');
    // Threads of earlier tests may be ending.
    assert.equal(nicer().filter((thread) => !before.includes(thread)).length, 1);
    assert.equal(getPriority(), own);
  });

  it('that returns a long text gives an error that names the reason', async () => {
    await open(hostile['returns a long text'], {}, 120_000);
    assert.match((await proxy.get('http://a.example/')).body, /failed \(its result is too long\)/);
  });

  it('that looks up a long name finds no address', async () => {
    const asked: string[] = [];
    await open(
      "function FindProxyForURL() { return 'PROXY ' + dnsResolve('a'.repeat(8000000)) + '.example:1'; }",
      {
        resolve: (name) => {
          asked.push(name);
          return Promise.resolve([{ address: '93.184.216.34', family: 4 }]);
        },
      },
      120_000,
    );
    assert.deepEqual(await routers[0]?.routes('http://a.example/'), [
      { kind: 'http', host: 'null.example', port: 1 },
    ]);
    assert.deepEqual(asked, []);
  });

  for (const what of ['never ends', 'never ends while it is loaded'] as const)
    it(`that ${what} gives an error that names the reason`, async () => {
      // On a busy machine, a script needs far more than its processor time.
      await open(hostile[what], {}, 120_000);
      assert.match((await proxy.get('http://a.example/')).body, /failed \(it computes for too long\)/);
    });

  it('cannot access the process', async () => {
    await open(
      `function FindProxyForURL() {
        var reach = [typeof process, typeof require, typeof fetch, typeof XMLHttpRequest, typeof WebAssembly];
        var make = alert.constructor;
        var outer = make('return typeof process');
        return 'PROXY ' + reach.concat(outer()).join('') + ':1';
      }`,
    );
    const [route] = (await routers[0]?.routes('http://a.example/')) ?? [];
    assert.deepEqual(route, { kind: 'http', host: 'undefined'.repeat(6), port: 1 });
  });
});

describe('the result of a proxy script', () => {
  it('is parsed as in browsers', () => {
    assert.deepEqual(
      parseRoutes('PROXY a.example:8080; https b.example:1;SOCKS [::1]:2 ; SOCKS5 c; DIRECT; x y'),
      [
        { kind: 'http', host: 'a.example', port: 8080 },
        { kind: 'https', host: 'b.example', port: 1 },
        { kind: 'socks4', host: '::1', port: 2 },
        { kind: 'socks5', host: 'c', port: 1080 },
        { kind: 'direct' },
      ],
    );
    for (const text of ['', ';;', 'PROXY', 'PROXY a:b', 'PROXY http://a/', 'PROXY a:0', 'PROXY u@a:1'])
      assert.deepEqual(parseRoutes(text), [], text);
  });

  it('names a limited number of proxies', () => {
    assert.equal(parseRoutes('PROXY a.example;'.repeat(5_000)).length, 8);
    assert.deepEqual(parseRoutes(`${';'.repeat(100)}DIRECT`), [{ kind: 'direct' }]);
  });

  it('can use shell patterns, which match in bounded time', () => {
    for (const [text, pattern, matches] of [
      ['http://a.example/x', 'http://*.example/*', true],
      ['abc', 'a?c', true],
      ['abc', 'a?', false],
      ['', '*', true],
      ['abc', '', false],
      ['a.c', 'a.c', true],
      ['abc', 'a.c', false],
      ['aXbXc', '*X*c', true],
    ] as const)
      assert.equal(matchesShell(text, pattern), matches, `${text} ${pattern}`);
    assert.equal(matchesShell('a'.repeat(2_000), `${'*a'.repeat(200)}b`), false);
  });
});
