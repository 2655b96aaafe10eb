import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FairShare, type Portion } from '../../../server/src/egress/fair-share.js';
import { allSockets } from '../../../server/src/egress/session-sockets.js';
import { EgressProxy, type EgressProxyOptions } from '../../fakes/egress-proxy.js';
import { settled } from '../../fakes/settled.js';

/** Maximum number of sockets of the process in these tests. */
const SOCKETS = 60;
/** Number of them that a session can take while no other session has any. */
const ALONE = 27;

const proxies: EgressProxy[] = [];
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.close();
});

/** A session's proxy in a process with this few sockets. */
async function open(sockets: FairShare, options: EgressProxyOptions = {}): Promise<EgressProxy> {
  const proxy = await new EgressProxy({ allow: ['127.0.0.1'], sockets, ...options }).listen();
  proxies.push(proxy);
  return proxy;
}

/** Returns the number of sockets that a new session can take. */
function left(share: FairShare): number {
  const portion: Portion = { open: 0 };
  while (share.take(portion));
  const { open: taken } = portion;
  for (let count = 0; count < taken; count++) share.giveBack(portion);
  return taken;
}

/** Waits, up to a limit, until all sockets of sessions are returned. */
async function allBack(share: FairShare): Promise<void> {
  for (let turns = 0; left(share) < ALONE && turns < 1_000; turns++) await turn();
  assert.equal(left(share), ALONE);
}

describe('the sockets of sessions', () => {
  it('are available to a session however many tunnels others open, with a refusal for those', async () => {
    const share = new FairShare(SOCKETS);
    const port = await (await open(share)).serve((_request, response) => response.end('a page'));
    for (let session = 0; session < 3; session++) {
      const greedy = await open(share);
      const statuses: number[] = [];
      while (statuses.at(-1) !== 503) statuses.push((await greedy.tunnel(`127.0.0.1:${port}`)).status);
      assert.ok(statuses.length > 3, `${statuses.length} were asked for`);
      assert.deepEqual(greedy.refused, ['connections']);
    }
    const neighbour = await open(share);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let page = 0; page < 5; page++)
      assert.equal((await neighbour.get(`http://127.0.0.1:${port}/`, { agent })).body, 'a page');
    agent.destroy();
    for (const proxy of proxies) proxy.close();
    await allBack(share);
  });

  it('are available to a session however many silent connections others open', async () => {
    const share = new FairShare(SOCKETS);
    const greedy = await open(share);
    const port = await greedy.serve((_request, response) => response.end('a page'));
    const sockets = await Promise.all(Array.from({ length: 200 }, () => greedy.raw()));
    const refused = 200 - ALONE;
    await settled(
      () => greedy.refused.length,
      (count) => count >= refused,
    );
    assert.equal(greedy.refused.length, refused);
    assert.equal((await (await open(share)).get(`http://127.0.0.1:${port}/`)).body, 'a page');
    for (const socket of sockets) socket.destroy();
    for (const proxy of proxies) proxy.close();
    await allBack(share);
  });

  it('are available to a session that has kept connections to other hosts', async () => {
    const share = new FairShare(SOCKETS);
    const proxy = await open(share);
    const port = await proxy.serve((_request, response) => response.end('a page'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let host = 0; host < 3 * SOCKETS; host++)
      assert.equal((await proxy.get(`http://h${host}.example:${port}/`, { agent })).status, 200);
    assert.deepEqual(proxy.refused, []);
    agent.destroy();
    proxy.close();
    await allBack(share);
  });

  for (const [socket, free] of [
    ['connection of its browser', 0],
    ['connection of a tunnel to a host', 1],
  ] as const)
    it(`are available to a new ${socket} although the session keeps idle connections`, async () => {
      const share = new FairShare(SOCKETS);
      const proxy = await open(share);
      const port = await proxy.serve((_request, response) => response.end('a page'));
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      // The browser has one connection, and each host has another.
      for (let host = 0; host < ALONE - 1 - free; host++)
        assert.equal((await proxy.get(`http://h${host}.example:${port}/`, { agent })).status, 200);
      assert.equal((await proxy.tunnel(`127.0.0.1:${port}`)).status, 200);
      assert.deepEqual(proxy.refused, []);
      agent.destroy();
    });

  it('are refused with an error page if no host connection is free', async () => {
    const share = new FairShare(3);
    const proxy = await open(share);
    const port = await proxy.serve((_request, response) => response.end('a page'));
    const silent = await proxy.raw();
    const { status, body } = await proxy.get(`http://127.0.0.1:${port}/`);
    assert.equal(status, 503);
    assert.match(body, /too many connections.*err_egress_refused: connections/s);
    silent.destroy();
  });

  it('are not used for a browser that left during a name lookup', async () => {
    const share = new FairShare(SOCKETS);
    let answer: () => void = () => undefined;
    let ask: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (ask = resolve));
    const proxy = await open(share, {
      resolve: () =>
        new Promise((resolve) => {
          answer = () => resolve([{ address: '127.0.0.1', family: 4 }]);
          ask();
        }),
    });
    let requests = 0;
    const port = await proxy.serve(() => (requests += 1));
    const browser = await proxy.raw();
    browser.write(`GET http://slow.example:${port}/ HTTP/1.1\r\nhost: x\r\n\r\n`);
    await asked;
    browser.destroy();
    await settled(() => left(share));
    answer();
    await settled(() => left(share));
    assert.equal(requests, 0);
    await allBack(share);
  });

  it("are three quarters of the process's limit", () => {
    const limits = (soft: string) =>
      `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}    4096     files\n`;
    assert.equal(left(allSockets(limits('1024'))), 336);
    assert.equal(left(allSockets('')), 336);
    assert.notEqual(left(allSockets()), 0);
  });
});
