import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, describe, it } from 'node:test';
import { byteRange } from '../../../server/src/egress/answers/byte-range.js';
import { parseRoutes } from '../../../server/src/egress/route.js';
import { WelcomeSite } from '../../../server/src/egress/answers/welcome-site.js';
import { WELCOME_HOST } from '../../../server/src/platform/network/welcome-host.js';
import { EgressProxy, type EgressProxyOptions } from '../../fakes/egress-proxy.js';

const FILM = '0123456789';
const SITE = new WelcomeSite(
  new Map([
    ['/index.html', Buffer.from('<!doctype html>Welcome')],
    ['/assets/film.webm', Buffer.from(FILM)],
    ['/secret.key', Buffer.from('secret')],
  ]),
);
const URL_OF = `http://${WELCOME_HOST}`;

let proxy: EgressProxy;
let lookedUp: string[];
afterEach(() => proxy.close());

async function open(options: EgressProxyOptions = {}): Promise<void> {
  lookedUp = [];
  const resolve = (name: string) => {
    lookedUp.push(name);
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  };
  proxy = await new EgressProxy({ welcome: SITE, resolve, ...options }).listen();
}

describe('the welcome page', () => {
  it('is served without a name server, with every spelling of its host', async () => {
    await open();
    for (const host of [
      WELCOME_HOST,
      WELCOME_HOST.toUpperCase(),
      `${WELCOME_HOST}.`,
      `user@${WELCOME_HOST}`,
    ]) {
      const { status, body, headers } = await proxy.get(`http://${host}/?name=Ada`);
      assert.deepEqual([status, body], [200, '<!doctype html>Welcome'], host);
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
    assert.deepEqual(lookedUp, []);
  });

  it("is served here even if the session has a customer's proxy, which receives no request", async () => {
    await open({ router: () => () => Promise.resolve(parseRoutes('PROXY 127.0.0.1:9')) });
    assert.equal((await proxy.get(`${URL_OF}/`)).status, 200);
  });

  it('has only its files, whatever path is requested', async () => {
    await open();
    for (const path of [
      '/../../../etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/../../cli.js',
      '/assets/..%5c..%5ccli.js',
      '//etc/passwd',
      '/index.html%00',
      '/index.html/',
      '/assets',
      '/assets/',
      '/constructor',
      '/__proto__',
      '/metrics',
      '/v0/vm',
      '/secret.key',
    ]) {
      const { status, body } = await proxy.get(URL_OF + path);
      assert.equal(status, 404, path);
      assert.match(body, /no such file/, path);
    }
    assert.equal((await proxy.get(`${URL_OF}/assets/../index.html`)).body, '<!doctype html>Welcome');
    assert.deepEqual(lookedUp, []);
  });

  it('refuses other methods, and the next request on the connection is parsed correctly', async () => {
    await open();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await proxy.get(`${URL_OF}/`, {
        method,
        body: 'GET http://127.0.0.1/ HTTP/1.1\r\n\r\n',
      });
      assert.deepEqual([answer.status, answer.body, answer.headers.allow], [405, '', 'GET, HEAD'], method);
    }
    assert.equal((await proxy.get(`${URL_OF}/`, { method: 'TRACE' })).status, 502);
    const head = await proxy.get(`${URL_OF}/`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', '22']);
  });

  it('is not served on other ports, tunnels or WebSockets, which reach nothing', async () => {
    let reached = 0;
    await open({ allow: ['127.0.0.1', WELCOME_HOST] });
    const port = await proxy.serve((_request, response) => {
      reached += 1;
      response.end();
    });
    for (const at of [port, 443, 8080, 1]) {
      const { status, body } = await proxy.get(`${URL_OF}:${at}/`);
      assert.equal(status, 502);
      assert.match(body, /err_egress_name/);
    }
    for (const authority of [
      `${WELCOME_HOST}:80`,
      `${WELCOME_HOST}:443`,
      `${WELCOME_HOST.toUpperCase()}:443`,
      `${WELCOME_HOST}.:${port}`,
      `${WELCOME_HOST}:${port}`,
    ]) {
      const { status, body } = await proxy.tunnel(authority);
      assert.deepEqual([status, body], [502, 'err_egress_name'], authority);
    }
    const socket = await proxy.raw();
    socket.write(
      `GET ${URL_OF}/ HTTP/1.1\r\nhost: ${WELCOME_HOST}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    );
    let heard = '';
    socket.on('data', (data) => (heard += String(data)));
    await once(socket, 'close');
    assert.equal(heard, '');
    assert.deepEqual([reached, lookedUp], [0, []]);
  });

  it('is not served for a Host header of another request, or for subdomains', async () => {
    await open();
    const other = await proxy.get('http://10.0.0.1/', { headers: { host: WELCOME_HOST } });
    assert.equal(other.status, 403);
    assert.equal((await proxy.get(`http://x.${WELCOME_HOST}/`)).status, 403);
    assert.deepEqual(lookedUp, [`x.${WELCOME_HOST}`]);
  });

  it('is not served if it was not built', async () => {
    proxy = await new EgressProxy({ allow: ['127.0.0.1'] }).listen();
    assert.match((await proxy.get(`${URL_OF}/`)).body, /err_egress_name/);
    assert.equal(WelcomeSite.read('/nowhere'), undefined);
  });

  it('serves the part of the film that a player requests', async () => {
    await open();
    const film = (range: string) => proxy.get(`${URL_OF}/assets/film.webm`, { headers: { range } });
    const part = await film('bytes=2-4');
    assert.deepEqual([part.status, part.body, part.headers['content-range']], [206, '234', 'bytes 2-4/10']);
    assert.deepEqual([(await film('bytes=0-')).status, (await film('bytes=0-')).body], [206, FILM]);
    assert.deepEqual([(await film('bytes=10-')).status, (await film('lines=1-2')).status], [416, 200]);
  });
});

describe('a range of bytes', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['bytes=0-3', { first: 0, last: 3 }],
    ['bytes=4-', { first: 4, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-30', { first: 0, last: 9 }],
    ['bytes=5-99', { first: 5, last: 9 }],
    ['bytes=-0', 'none'],
    ['bytes=10-', 'none'],
    ['bytes=5-4', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=-', undefined],
  ] as const)
    it(`is parsed from ${String(header)}`, () => assert.deepEqual(byteRange(header, 10), expected));
});
