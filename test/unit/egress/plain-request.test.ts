import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { FairShare } from '../../../server/src/egress/fair-share.js';
import { parseRoutes } from '../../../server/src/egress/route.js';
import { EgressProxy, type EgressProxyOptions } from '../../fakes/egress-proxy.js';
import { settled } from '../../fakes/settled.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

let proxy: EgressProxy;
afterEach(() => proxy.close());

const open = async (options: EgressProxyOptions = {}) =>
  (proxy = await new EgressProxy({ allow: ['127.0.0.1'], ...options }).listen());

describe('a request with a body', () => {
  it('keeps its length if its header Connection names the length', async () => {
    await open();
    const urls: (string | undefined)[] = [];
    const port = await proxy.serve((request, response) => {
      urls.push(request.url);
      request.pipe(response);
    });
    const inner = 'GET /inner HTTP/1.1\r\nhost: x\r\n\r\n';
    const headers = { connection: 'Content-Length', 'content-length': String(inner.length) };
    const { body } = await proxy.get(`http://127.0.0.1:${port}/outer`, { body: inner, headers });
    assert.equal(body, inner);
    assert.deepEqual(urls, ['/outer']);
  });
});

describe('a request on a kept connection', () => {
  it('is repeated on a new connection if all kept connections to its host are dead', async () => {
    await open();
    const waiting: Socket[] = [];
    let connections = 0;
    const port = await proxy.serveRaw((socket) => {
      const isFirst = ++connections <= 2;
      socket.once('data', () => {
        if (isFirst) waiting.push(socket);
        else socket.write(OK);
        // The first two requests are answered together, so that each has a connection of its own.
        if (waiting.length === 2) for (const one of waiting.splice(0)) one.write(OK);
        socket.once('data', () => socket.resetAndDestroy());
      });
    });
    const url = `http://127.0.0.1:${port}/`;
    await Promise.all([proxy.get(url), proxy.get(url)]);
    assert.deepEqual([(await proxy.get(url)).body, connections], ['ok', 3]);
  });
});

describe('the proxies of a request', () => {
  for (const request of ['GET http://a.example/', 'CONNECT a.example:443'])
    it(`are not tried after the browser has left: ${request}`, async () => {
      const asked: string[] = [];
      let refuse: () => void = () => undefined;
      const sockets = new FairShare(100);
      const giveBack = sockets.giveBack.bind(sockets);
      const left = new Promise<void>((resolve) => {
        sockets.giveBack = (portion) => {
          giveBack(portion);
          resolve();
        };
      });
      await open({
        sockets,
        router: () => () => Promise.resolve(parseRoutes('PROXY p.example; PROXY q.example')),
        resolve: (name) => {
          asked.push(name);
          return new Promise((_resolve, reject) => (refuse = () => reject(new Error('no answer'))));
        },
      });
      const browser = await proxy.raw();
      browser.write(`${request} HTTP/1.1\r\nhost: x\r\n\r\n`);
      await settled(
        () => asked.length,
        (count) => count === 1,
      );
      browser.resetAndDestroy();
      await left;
      refuse();
      await settled(() => asked.length);
      assert.deepEqual(asked, ['p.example']);
    });
});
