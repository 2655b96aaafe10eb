import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { EgressProxy } from '../../fakes/egress-proxy.js';
import { RawBrowser } from '../../fakes/raw-browser.js';

const EVIL = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil';

let proxy: EgressProxy;
let browser: RawBrowser;
let honest: string;
beforeEach(async () => {
  proxy = await new EgressProxy({ allow: ['127.0.0.1'] }).listen();
  browser = new RawBrowser(await proxy.raw());
  honest = `http://honest.example:${await proxy.serve((_request, response) => response.end('honest'))}/`;
});
afterEach(() => proxy.close());

/** Returns the address of a host that sends this response to each request. */
async function host(answer: string | ((socket: Socket) => void)): Promise<string> {
  const say = typeof answer === 'string' ? (socket: Socket) => void socket.write(answer) : answer;
  const port = await proxy.serveRaw((socket) => socket.on('data', () => say(socket)));
  return `http://host.example:${port}/`;
}

/** Resolves to the answer that the browser assigns to another host, requested on the same connection. */
async function next(): Promise<string> {
  return (await browser.get(honest)).body.toString();
}

/** A chunked body, all in one chunk. */
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe("a host's response", () => {
  it('with a transfer coding and a length uses the coding, for the browser too', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n';
    const { body } = await browser.get(await host(head + chunked(`ok${EVIL}`)));
    assert.equal(body.toString(), `ok${EVIL}`);
    assert.equal(await next(), 'honest');
  });

  it('with a coding after thousands of headers also uses the coding', async () => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${'a: b\r\n'.repeat(2_100)}transfer-encoding: chunked\r\n\r\n`;
    const { body } = await browser.get(await host(head + chunked(`ok${EVIL}`)));
    assert.equal(body.toString(), `ok${EVIL}`);
    assert.equal(await next(), 'honest');
  });

  it('after a few interim answers is passed on, and after very many is refused', async () => {
    const final = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    for (const interim of [
      'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
      'HTTP/1.1 100 Continue\r\n\r\n',
    ]) {
      assert.equal((await browser.get(await host(interim.repeat(50) + final))).body.toString(), 'ok');
      assert.equal(await next(), 'honest');
      assert.match((await browser.get(await host(interim.repeat(20_000) + final))).head, / 502 /);
      assert.equal(await next(), 'honest');
    }
  });

  it('with two lengths is refused', async () => {
    for (const lengths of ['2\r\ncontent-length: 6', '2, 6', '0x2', '-2', '99999999999999999999']) {
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${lengths}\r\n\r\n`;
      assert.match((await browser.get(await host(`${head}ok${EVIL}`))).head, / 502 /, lengths);
      assert.equal(await next(), 'honest');
    }
  });

  it('with more data than announced is cut, and its connection is not reused', async () => {
    for (const length of ['content-length: 2', 'content-length: 2\r\nkeep-alive: timeout=60']) {
      const url = await host(`HTTP/1.1 200 OK\r\n${length}\r\n\r\nok${EVIL}`);
      assert.equal((await browser.get(url)).body.toString(), 'ok');
      assert.equal(await next(), 'honest');
      assert.equal((await browser.get(url)).body.toString(), 'ok');
    }
  });

  it('without a request ends the kept connection', async () => {
    const sockets: Socket[] = [];
    const url = await host((socket) => {
      sockets.push(socket);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    assert.equal((await browser.get(url)).body.toString(), 'ok');
    assert.equal(await next(), 'honest');
    const [kept] = sockets;
    assert.ok(kept);
    kept.write(EVIL);
    await once(kept, 'close');
    assert.equal((await browser.get(url)).body.toString(), 'ok');
    assert.equal(sockets.length, 2);
  });

  it('without a body has none, whatever its length header', async () => {
    for (const length of [4, 40_000_000]) {
      const more = `content-length: ${length}\r\n\r\n`;
      assert.match((await browser.get(await host(`HTTP/1.1 204 No\r\n${more}`))).head, / 204 /);
      assert.match((await browser.get(await host(`HTTP/1.1 304 No\r\n${more}`))).head, / 304 /);
      const { head } = await browser.get(await host(`HTTP/1.1 200 OK\r\n${more}`), 'HEAD');
      assert.match(head, new RegExp(`content-length: ${length}\r`));
      assert.equal(await next(), 'honest');
    }
  });

  it('after interim responses is the final one', async () => {
    const early = 'HTTP/1.1 103 Early\r\nlink: <a>\r\ncontent-length: 9000000\r\n\r\n';
    const url = await host(`${early}${early}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`);
    assert.equal((await browser.get(url)).body.toString(), 'ok');
    assert.equal(await next(), 'honest');
  });
});
