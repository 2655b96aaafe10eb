import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type RequestListener } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { EgressProxy, type EgressProxyOptions } from '../../fakes/egress-proxy.js';

let proxy: EgressProxy;
afterEach(() => proxy.close());

const open = async (options: EgressProxyOptions = {}) => (proxy = await new EgressProxy(options).listen());
/** Opens a proxy to one host, with this server. Resolves to the address of the server. */
async function openWith(listener: RequestListener, options: EgressProxyOptions = {}): Promise<string> {
  await open({ allow: ['127.0.0.1'], ...options });
  return `http://127.0.0.1:${await proxy.serve(listener)}`;
}
const hello: RequestListener = (request, response) => response.end(`hello ${request.url}`);

describe('a request of a remote browser', () => {
  it('reaches an allowed host with headers and body, and returns the response', async () => {
    await open({ allow: ['site.example'] });
    const port = await proxy.serve((request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.setHeader('x-host', request.headers.host ?? '');
      assert.equal(request.headers['proxy-connection'], undefined);
      request.pipe(response);
    });
    const headers = { 'proxy-connection': 'keep-alive', host: 'liar.example' };
    const options = { method: 'POST', body: 'a body', headers };
    const answer = await proxy.get(`http://site.example:${port}/a?b`, options);
    assert.deepEqual([answer.status, answer.body], [200, 'a body']);
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal(answer.headers['x-host'], `site.example:${port}`);
  });

  it('can have a body with any method, and none', async () => {
    const url = await openWith((request, response) => request.pipe(response));
    for (const method of ['GET', 'OPTIONS', 'DELETE', 'PUT', 'POST']) {
      for (const framing of [{ 'content-length': '6' }, { 'transfer-encoding': 'chunked' }])
        assert.equal((await proxy.get(url, { method, body: 'a body', headers: framing })).body, 'a body');
      assert.equal((await proxy.get(url, { method, headers: { 'content-length': '0' } })).body, '');
      assert.equal((await proxy.get(url, { method })).body, '');
    }
  });

  // Proves: hosted pages reach public addresses only
  it('is refused for blocked kinds of addresses in every spelling, with an error page', async () => {
    await open({ resolve: (name) => Promise.reject(new Error(name)) });
    const kinds = {
      loopback: [
        ...['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '127.1'],
        ...['localhost', 'a.localhost.', '[::1]', '[::ffff:127.0.0.1]'],
      ],
      private: ['10.1.2.3', '172.16.0.1', '192.168.0.1', '100.64.0.1', '[fd00::1]', '[::ffff:a01:203]'],
      link_local: ['169.254.169.254', '2852039166', '[fe80::1]'],
      multicast: ['224.0.0.1', '[ff02::1]'],
      reserved: [
        ...['0.0.0.0', '0', '[::]', '[64:ff9b::7f00:1]'],
        ...['[2002:7f00:1::]', '[2001::1]', '[::127.0.0.1]'],
      ],
    };
    for (const [rule, hosts] of Object.entries(kinds)) {
      for (const host of hosts) {
        const { status, body, headers } = await proxy.get(`http://${host}/`);
        assert.equal(status, 403, host);
        assert.match(body, new RegExp(`err_egress_refused: ${rule}<`), host);
        assert.equal(headers['cache-control'], 'no-store');
        const tunnel = await proxy.tunnel(`${host}:443`);
        assert.deepEqual([tunnel.status, tunnel.body], [403, `err_egress_refused: ${rule}`], host);
      }
    }
    assert.equal(proxy.refused.length, 2 * Object.values(kinds).flat().length);
  });

  it('is checked each time on a kept connection', async () => {
    const url = await openWith(hello);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    assert.equal((await proxy.get(url, { agent })).status, 200);
    assert.equal((await proxy.get(url.replace('127.0.0.1', '10.0.0.1'), { agent })).status, 403);
    assert.equal((await proxy.get(`${url}/again`, { agent })).body, 'hello /again');
    agent.destroy();
  });

  it('is refused if one address of its name is blocked, and connects only to checked addresses', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['169.254.169.254']];
    let asked = 0;
    await open({
      allow: ['127.0.0.1'],
      resolve: (name) => {
        const index = Number(/\d/.exec(name)?.[0]);
        asked += 1;
        return Promise.resolve((answers[index] ?? []).map((address) => ({ address, family: 4 })));
      },
    });
    const port = await proxy.serve(hello);
    assert.equal((await proxy.get(`http://a0.example:${port}/`)).status, 200);
    assert.match((await proxy.get(`http://a1.example:${port}/`)).body, /private/);
    assert.match((await proxy.get(`http://a2.example:${port}/`)).body, /link_local/);
    // Once each: the connection goes to the checked address.
    assert.equal(asked, 3);
  });

  it('does not reach the service unless exactly its port is allowed', async () => {
    const port = await (await open()).serve(hello);
    proxy.close();
    for (const allowed of ['127.0.0.1', '127.0.0.0/8', '127.0.0.1:1']) {
      await open({ allow: [allowed], servicePort: port });
      const answer = await proxy.get(`http://127.0.0.1:${port}/`);
      assert.equal(answer.status, 403, allowed);
      assert.match(answer.body, /err_egress_refused: service/);
      proxy.close();
    }
    await open({ allow: ['198.51.100.9'], servicePort: 8080, ownAddresses: ['198.51.100.9'] });
    assert.match((await proxy.get('http://198.51.100.9:8080/')).body, /: service</);
    proxy.close();
    await open({ servicePort: 8080, ownAddresses: ['93.184.216.34'] });
    assert.match((await proxy.get('http://93.184.216.34/')).body, /: own_address</);
    proxy.close();
    const own = await (await open()).serve((_request, response) => response.writeHead(204).end());
    const helper = proxy;
    await open({ allow: [`127.0.0.1:${own}`], servicePort: own });
    assert.equal((await proxy.get(`http://127.0.0.1:${own}/`)).status, 204);
    helper.close();
  });

  it('without a web address is refused', async () => {
    await open();
    const urls = ['/', 'ftp://a.example/', 'https://a.example/', 'http://a.example:0/'];
    for (const url of [...urls, 'http://[fe80::1%25eth0]/'])
      assert.equal((await proxy.get(url)).status, 502, url);
    const authorities = ['a.example', 'a.example:0', 'a.example:99999', 'u@a.example:1'];
    for (const authority of [...authorities, '[fe80::1%25eth0]:443'])
      assert.equal((await proxy.tunnel(authority)).status, 502, authority);
  });

  it('for an unknown name gets an error page', async () => {
    await open({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    const { status, body } = await proxy.get('http://nowhere.example/');
    assert.equal(status, 502);
    assert.match(body, /nowhere\.example has no address.*err_egress_name/s);
  });

  it('gets a German error page if the browser prefers German', async () => {
    await open({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    const read = async (language: string) =>
      (await proxy.get('http://127.0.0.1/', { headers: { 'accept-language': language } })).body;
    for (const german of ['de', 'de-AT,de;q=0.9,en;q=0.8', 'fr, en;q=0.5, DE;q=0.7'])
      assert.match(await read(german), /lang="de">.*nicht offen.*err_egress_refused: loopback/s, german);
    for (const english of ['', 'fr', 'en,de', 'de;q=0', ';q=x;,;', '*', 'x,'.repeat(2_000)])
      assert.match(await read(english), /<html lang="en">.*may not open/s, english);
    const { body } = await proxy.get('http://a.example/', { headers: { 'accept-language': 'de' } });
    assert.match(body, /keine Adresse bekannt.*err_egress_name/s);
  });

  it('stops waiting for a silent name server', async () => {
    await open({ resolve: () => new Promise(() => undefined), resolveLimit: 20 });
    assert.match((await proxy.get('http://slow.example/')).body, /No name server answered/);
    assert.equal((await proxy.tunnel('slow.example:443')).status, 502);
  });

  it('stops waiting for a silent host', async () => {
    const url = await openWith(() => undefined, { idleLimit: 30 });
    const { status, body } = await proxy.get(url);
    assert.equal(status, 502);
    assert.match(body, /err_egress_unreachable/);
  });

  it('to a closed port gets an error page', async () => {
    await open({ allow: ['127.0.0.1'] });
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    assert.match((await proxy.get(`http://127.0.0.1:${port}/`)).body, /cannot be reached \(ECONNREFUSED\)/);
    assert.equal((await proxy.tunnel(`127.0.0.1:${port}`)).status, 502);
  });

  it('with longer headers than a browser sends is refused, and the proxy continues', async () => {
    const url = await openWith(hello);
    const long = 'x'.repeat(300_000);
    assert.equal((await proxy.get(url, { headers: { long } })).status, 431);
    assert.equal((await proxy.get(url)).status, 200);
  });

  it('is not echoed, which would reveal the credentials of a proxy', async () => {
    const url = await openWith(hello);
    const { status, body } = await proxy.get(url, { method: 'TRACE' });
    assert.deepEqual([status, /not supported/.test(body)], [502, true]);
  });

  it('gets an error page when its host speaks another protocol', async () => {
    await open({ allow: ['127.0.0.1'] });
    const port = await proxy.serveRaw((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
      ),
    );
    assert.equal((await proxy.get(`http://127.0.0.1:${port}/`)).status, 502);
  });

  // A machine without IPv6 refuses IPv6 addresses in the same way.
  it('gets an error page when the kernel refuses the address of its host at once', async () => {
    const address = '255.255.255.255';
    await open({ allow: [address], resolve: () => Promise.resolve([{ address, family: 4 }]) });
    const { status, body } = await proxy.get('http://broadcast.example/');
    assert.equal(status, 502);
    assert.match(body, /broadcast\.example cannot be reached/);
  });

  it('is one of a limited number of pending requests on its connection', async () => {
    let asked = 0;
    const url = await openWith(() => (asked += 1));
    const socket = await proxy.raw();
    socket.write(`GET ${url}/ HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(100));
    await once(socket.resume(), 'close');
    assert.ok(asked <= 2, `${asked} were asked`);
  });

  /** A host that closes some connections at their second request. */
  const closingServer = (closes: () => boolean) =>
    proxy.serveRaw((socket) => {
      const closesAtSecond = closes();
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        if (closesAtSecond && requests === 2) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });

  it('is repeated when the host closed a kept connection', async () => {
    await open({ allow: ['127.0.0.1'] });
    let connections = 0;
    const port = await closingServer(() => ++connections === 1);
    for (const path of ['first', 'second'])
      assert.equal((await proxy.get(`http://127.0.0.1:${port}/${path}`)).body, 'ok');
    assert.equal(connections, 2);
  });

  it('that cannot be repeated uses no connection that its host may soon close', async () => {
    await open({ allow: ['127.0.0.1'] });
    const port = await closingServer(() => true);
    for (const [method, body] of [['GET'], ['POST', 'a'], ['POST'], ['DELETE'], ['PUT', 'b']] as const) {
      const headers = { 'content-length': String(body?.length ?? 0) };
      const options = body === undefined ? { method } : { method, body, headers };
      assert.equal((await proxy.get(`http://127.0.0.1:${port}/`, options)).status, 200, method);
    }
  });
});
