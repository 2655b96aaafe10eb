import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { EgressProxy, type EgressProxyOptions } from '../../fakes/egress-proxy.js';
import { settled } from '../../fakes/settled.js';

let proxy: EgressProxy;
afterEach(() => proxy.close());

const open = async (options: EgressProxyOptions = {}) => (proxy = await new EgressProxy(options).listen());

describe('a tunnel of a remote browser', () => {
  it('carries bytes both ways and lets each side end first', async () => {
    await open({ allow: ['127.0.0.1'] });
    const answer = (socket: Socket) => {
      let heard = '';
      socket.on('data', (data) => (heard += String(data)));
      socket.on('end', () => socket.end(`you said ${heard}`));
    };
    const port = await proxy.serveRaw(answer, { allowHalfOpen: true });
    const { socket, status } = await proxy.tunnel(`127.0.0.1:${port}`);
    assert.equal(status, 200);
    socket.end('good day');
    let heard = '';
    for await (const chunk of socket.setEncoding('utf8')) heard += String(chunk);
    assert.equal(heard, 'you said good day');
  });

  it("delivers a host's first bytes and a large file completely, however the browser reads", async () => {
    await open({ allow: ['127.0.0.1'] });
    const file = randomBytes(8_000_000);
    const port = await proxy.serveRaw((socket) => {
      socket.write('welcome');
      socket.once('data', () => socket.end(file));
    });
    const { socket, body } = await proxy.tunnel(`127.0.0.1:${port}`);
    let welcome = body;
    while (welcome !== 'welcome') welcome += String((await once(socket, 'data'))[0]);
    socket.pause();
    socket.write('the file');
    const parts: Buffer[] = [];
    let pauses = 0;
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      if (parts.length % 8 !== 0) return;
      pauses += 1;
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    socket.resume();
    await once(socket, 'end');
    assert.ok(pauses > 3);
    assert.ok(Buffer.concat(parts).equals(file));
  });

  it('without traffic is closed', async () => {
    await open({ allow: ['127.0.0.1'], idleLimit: 30 });
    const port = await proxy.serve(() => undefined);
    const { socket } = await proxy.tunnel(`127.0.0.1:${port}`);
    await once(socket.resume(), 'close');
  });

  it('waits for a slow browser', async () => {
    await open({ allow: ['127.0.0.1'] });
    let written = 0;
    const port = await proxy.serveRaw((socket) => {
      const write = () => {
        while (socket.write(Buffer.alloc(65_536))) written += 65_536;
      };
      socket.on('drain', write);
      write();
    });
    const { socket } = await proxy.tunnel(`127.0.0.1:${port}`);
    socket.pause();
    // The buffers on the way fill up. Then nothing more is written.
    await settled(() => written);
    assert.ok(written < 64e6, `${written} bytes were taken`);
  });
});
