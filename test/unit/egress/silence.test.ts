import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { CONNECT_TIMEOUT_MS, dial } from '../../../server/src/egress/dial.js';
import { FairShare } from '../../../server/src/egress/fair-share.js';
import { EgressGuard } from '../../../server/src/egress/guard.js';
import { NameResolver } from '../../../server/src/egress/name-resolver.js';
import { parseRoutes } from '../../../server/src/egress/route.js';
import { SessionSockets } from '../../../server/src/egress/session-sockets.js';
import { EgressRules } from '../../../server/src/platform/network/egress-rules.js';
import { EgressProxy } from '../../fakes/egress-proxy.js';

let proxy: EgressProxy;
beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => {
  mock.timers.reset();
  proxy.close();
});

/** Advances time by this many milliseconds. */
const pass = (milliseconds: number) => mock.timers.tick(milliseconds);

describe('the timeout for silence', () => {
  for (const kind of ['PROXY', 'HTTPS', 'SOCKS', 'SOCKS5'])
    it(`ends a connection to a customer's ${kind} proxy`, async () => {
      let hear: (socket: Socket) => void = () => undefined;
      const heard = new Promise<Socket>((resolve) => (hear = resolve));
      let routes = parseRoutes('DIRECT');
      proxy = await new EgressProxy({
        allow: ['127.0.0.1'],
        router: () => () => Promise.resolve(routes),
      }).listen();
      const silent = await proxy.serveRaw((socket) => socket.once('data', () => hear(socket)));
      routes = parseRoutes(`${kind} 127.0.0.1:${silent}`);
      const asked = proxy.tunnel('host.example:443');
      const socket = await heard;
      const closed = once(socket, 'close');
      pass(CONNECT_TIMEOUT_MS);
      assert.equal((await asked).status, 502);
      await closed;
    });

  it('ends a connection attempt to a host', async () => {
    proxy = new EgressProxy();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const guard = new EgressGuard({
      rules: EgressRules.parse(['127.0.0.1']) ?? assert.fail(),
      resolver: new NameResolver(),
      servicePort: () => undefined,
    });
    const sockets = new SessionSockets(new FairShare(10));
    const dialled = dial({ guard, sockets }, '127.0.0.1', (server.address() as AddressInfo).port);
    // Waits until the connection attempt begins. No event tells when that is.
    for (let step = 0; step < 20; step++) await Promise.resolve();
    pass(CONNECT_TIMEOUT_MS);
    await assert.rejects(dialled, /it took too long/);
    server.close();
  });
});
