import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { EgressProxy, type EgressProxyOptions } from '../../fakes/egress-proxy.js';
import { RawBrowser } from '../../fakes/raw-browser.js';
import { settled } from '../../fakes/settled.js';

const LENGTH = 9_000_000;
const FILE = randomBytes(LENGTH);
const HEAD = `HTTP/1.1 200 OK\r\ncontent-length: ${LENGTH}\r\n\r\n`;
const EVIL = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil';

let proxy: EgressProxy;
afterEach(() => proxy.close());

/** A browser, and a host with this response. The host's connections are in `sockets`. */
async function open(answer: (socket: Socket) => void, options: EgressProxyOptions = {}) {
  proxy = await new EgressProxy({ allow: ['127.0.0.1'], ...options }).listen();
  const sockets: Socket[] = [];
  const port = await proxy.serveRaw((socket) => {
    sockets.push(socket);
    socket.on('data', () => answer(socket));
  });
  const other = await proxy.serve((_request, response) => response.end('honest'));
  return {
    sockets,
    url: `http://host.example:${port}/`,
    browser: new RawBrowser(await proxy.raw()),
    honest: `http://honest.example:${other}/`,
  };
}

/** Resolves when a connection is closed, also by an error. */
async function gone(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

describe("a host's long response", () => {
  it("arrives completely, and only the browser's connection is reused", async () => {
    const { browser, url, honest, sockets } = await open((socket) => {
      socket.write(HEAD);
      socket.write(FILE);
    });
    for (const count of [1, 2]) {
      assert.ok((await browser.get(url)).body.equals(FILE));
      assert.equal((await browser.get(honest)).body.toString(), 'honest');
      assert.equal(sockets.length, count);
    }
  });

  it('arrives completely in any pieces', async () => {
    const sayBytes = async (socket: Socket, start: Buffer) => {
      for (const byte of start) {
        socket.write(Buffer.of(byte));
        await turn();
      }
      socket.write(FILE.subarray(200));
    };
    const { browser, url, honest } = await open((socket) => {
      socket.setNoDelay();
      void sayBytes(socket, Buffer.concat([Buffer.from(HEAD), FILE.subarray(0, 200)]));
    });
    browser.ask(url);
    await browser.head();
    const read: Buffer[] = [];
    for (let left = LENGTH; left > 0; left -= read.at(-1)?.length ?? 0) {
      read.push(await browser.bytes(Math.min(left, 300_000)));
      await turn();
    }
    assert.ok(Buffer.concat(read).equals(FILE));
    assert.equal((await browser.get(honest)).body.toString(), 'honest');
  });

  it('can be a part of a file', async () => {
    const head = HEAD.replace('200 OK', `206 Part\r\ncontent-range: bytes 0-${LENGTH - 1}/${2 * LENGTH}`);
    const { browser, url } = await open((socket) => socket.write(Buffer.concat([Buffer.from(head), FILE])));
    const answer = await browser.get(url);
    assert.match(answer.head, /^HTTP\/1.1 206 [\s\S]*content-range: bytes 0-/);
    assert.ok(answer.body.equals(FILE));
  });

  it('with more data than announced is cut, and the rest is not read as a response', async () => {
    for (const more of [EVIL, EVIL.repeat(10_000)]) {
      const { browser, url, honest } = await open((socket) => {
        socket.write(HEAD);
        socket.write(FILE);
        socket.write(more);
      });
      assert.ok((await browser.get(url)).body.equals(FILE));
      assert.equal((await browser.get(honest)).body.toString(), 'honest');
      assert.ok((await browser.get(url)).body.equals(FILE));
      proxy.close();
    }
  });

  it('with a transfer coding uses the parser, whatever its length header', async () => {
    const head = HEAD.replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\n');
    const { browser, url, honest } = await open((socket) => {
      socket.write(`${head}${LENGTH.toString(16)}\r\n`);
      socket.write(FILE);
      socket.write('\r\n0\r\n\r\n');
    });
    assert.ok((await browser.get(url)).body.equals(FILE));
    assert.equal((await browser.get(honest)).body.toString(), 'honest');
  });

  it('that ends early or breaks off breaks off for the browser', async () => {
    const ends: ((socket: Socket) => unknown)[] = [
      (socket) => socket.end(),
      (socket) => socket.destroy(),
      (socket) => socket.resetAndDestroy(),
    ];
    for (const end of ends) {
      const { browser, url } = await open((socket) => {
        socket.write(HEAD);
        socket.write(FILE.subarray(0, LENGTH / 2), () => end(socket));
      });
      await assert.rejects(browser.get(url), /hung up/);
      proxy.close();
    }
  });

  it('that becomes silent is abandoned, and breaks off for the browser', async () => {
    for (const head of [HEAD, 'HTTP/1.1 200 OK\r\n\r\n']) {
      const { browser, url, sockets } = await open(
        (socket) => {
          socket.write(head);
          socket.write(FILE.subarray(0, LENGTH / 2));
        },
        { idleLimit: 1_000 },
      );
      await assert.rejects(browser.get(url), /hung up/);
      assert.ok(sockets[0], 'the host was not asked');
      await gone(sockets[0]);
      proxy.close();
    }
  });

  const endless = {
    'that is long': [HEAD.replace(`${LENGTH}`, '900000000000'), FILE],
    'that comes in chunks': [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      Buffer.concat([Buffer.from(`${LENGTH.toString(16)}\r\n`), FILE, Buffer.from('\r\n')]),
    ],
  } as const;
  for (const [what, [head, piece]] of Object.entries(endless))
    it(`${what} waits for a slow browser, and ends when the browser leaves`, async () => {
      let written = 0;
      const { browser, url, sockets } = await open((socket) => {
        socket.write(head);
        const write = () => {
          do written += piece.length;
          while (socket.write(piece));
        };
        socket.on('drain', write);
        write();
      });
      browser.ask(url);
      await browser.head();
      await settled(() => written);
      assert.ok(written < 64e6, `${written} bytes were taken`);
      const [socket] = sockets;
      assert.ok(socket, 'the host was not asked');
      browser.leave();
      await gone(socket);
    });

  it('waits for the previous response', async () => {
    const { browser, url, honest } = await open((socket) => {
      socket.write(HEAD);
      socket.write(FILE);
    });
    browser.ask(url);
    browser.ask(url);
    assert.ok((await browser.answer()).body.equals(FILE));
    assert.ok((await browser.answer()).body.equals(FILE));
    assert.equal((await browser.get(honest)).body.toString(), 'honest');
  });

  it("without a length arrives completely, and only the browser's connection is reused", async () => {
    for (const head of ['HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n', 'HTTP/1.0 200 OK\r\n\r\n']) {
      const { browser, url, honest } = await open((socket) => {
        socket.write(head);
        socket.end(FILE);
      });
      assert.ok((await browser.get(url)).body.equals(FILE));
      assert.equal((await browser.get(honest)).body.toString(), 'honest');
      proxy.close();
    }
  });
});
