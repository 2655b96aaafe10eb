import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { SUBPROTOCOL } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { PendingViewers } from '../../../../server/src/sessions/viewers/pending-viewers.js';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

describe('pending viewers', () => {
  let clock: ManualClock;
  let told: boolean[];
  let pending: PendingViewers;
  beforeEach(() => {
    clock = new ManualClock();
    told = [];
    pending = new PendingViewers(clock, (any) => told.push(any));
  });

  it('are reported once together, and again when the last one has joined or failed', () => {
    pending.connecting('a', '192.0.2.1');
    pending.connecting('b', '192.0.2.2');
    pending.settled('a');
    pending.settled('a');
    assert.deepEqual(told, [true]);
    pending.settled('b');
    pending.settled('nobody');
    assert.deepEqual(told, [true, false]);
    assert.equal(clock.pending, 0);
  });

  it('include a page that has loaded the module, until its connection arrives', () => {
    pending.pageLoaded('192.0.2.1');
    pending.pageLoaded('192.0.2.1');
    clock.advance(9_999);
    pending.connecting('a', '192.0.2.1');
    pending.settled('a');
    assert.deepEqual(told, [true, false]);
    assert.equal(clock.pending, 0);
  });

  it('expire after a time limit', () => {
    pending.pageLoaded('192.0.2.1');
    clock.advance(10_000);
    assert.deepEqual(told, [true, false]);
    pending.connecting('a', '192.0.2.1');
    clock.advance(30_000);
    assert.deepEqual(told, [true, false, true, false]);
  });

  it('have their full time again after the first picture', () => {
    pending.connecting('a', '192.0.2.1');
    clock.advance(29_000);
    pending.renew();
    clock.advance(29_000);
    assert.deepEqual(told, [true]);
  });

  it('are stored in a limited number', () => {
    for (let count = 0; count < 10_000; count++) pending.pageLoaded(`192.0.2.1/${count}`);
    assert.ok(clock.pending <= 64);
    pending.close();
    assert.equal(clock.pending, 0);
  });
});

describe('a session with an offline limit of one second', () => {
  let service: TestService;
  let session: Access;
  beforeEach(async () => {
    service = await createTestService();
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    session = await new ApiCaller(service).begin({ timeout: { offline: 1 } });
  });
  afterEach(() => service.close());

  const port = () => (service.app.server.address() as AddressInfo).port;
  /** Resolves when everything pending has reached the host. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const address = () => session.embed_url.replace(/^https:..[^/]+/, `http://127.0.0.1:${port()}`);
  const reason = () => service.pool.last.stopReason;
  /** Why the session has ended after this time. Undefined: it has not. */
  const reasonAfter = async (milliseconds: number) => {
    service.clock.advance(milliseconds);
    await settled();
    return reason();
  };
  const endsInASecond = async () => {
    assert.equal(await reasonAfter(999), undefined);
    assert.equal(await reasonAfter(1), 'offline');
  };

  // Proves: timeout.offline
  it('stays while its browser starts, and ends a second after its first picture without viewers', async () => {
    assert.equal(await reasonAfter(20_000), undefined);
    service.pool.last.listener.onStarted({});
    await endsInASecond();
  });

  // Proves: timeout.offline
  it('waits for a client that has loaded the page or the module, and then for the connection', async () => {
    const { listener } = service.pool.last;
    listener.onStarted({});
    assert.equal((await fetch(address())).status, 200);
    service.clock.advance(3_000);
    const socket = new WebSocket(address().replace('http', 'ws'), [SUBPROTOCOL]);
    await once(socket, 'error').catch(() => undefined);
    const userId = service.pool.last.viewers[0]?.viewer.userId ?? '';
    assert.equal(await reasonAfter(3_000), undefined);
    listener.onViewers(1);
    listener.onArrived(userId);
    assert.equal(await reasonAfter(60_000), undefined);
    listener.onViewers(0);
    assert.equal(await reasonAfter(1_000), 'offline');
  });

  // Proves: timeout.offline
  it('does not wait for a client without the right token', async () => {
    service.pool.last.listener.onStarted({});
    const stranger = address().replace(/token=.*/, 'token=wrong');
    assert.equal((await fetch(stranger)).status, 401);
    const socket = createConnection(port(), '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    assert.equal(await reasonAfter(1_000), 'offline');
  });

  it('does not wait for a connection that was lost during the handshake', async () => {
    const { listener } = service.pool.last;
    const socket = new WebSocket(address().replace('http', 'ws'), [SUBPROTOCOL]);
    await once(socket, 'error').catch(() => undefined);
    listener.onStarted({});
    service.clock.advance(500);
    listener.onArrived(service.pool.last.viewers[0]?.viewer.userId ?? '');
    await endsInASecond();
  });

  // Proves: timeout.offline
  it('stays in 50 of 50 cases for a slow viewer, and ends a second after the viewer has left', async () => {
    const api = new ApiCaller(service);
    for (let round = 0; round < 50; round++) {
      await service.sessions.live(session.session_id)?.end('request');
      session = await api.begin({ timeout: { offline: 1 } });
      const { listener } = service.pool.last;
      // The steps of a viewer and the first picture may come in any order.
      const shownAt = (round * 70) % 3_000;
      const steps: [at: number, step: () => unknown][] = [
        [0, () => service.sessions.live(session.session_id)?.pageLoaded('192.0.2.1')],
        [1_000 + ((round * 130) % 1_900), () => connect(service, session, round)],
        [3_000, () => listener.onViewers(1)],
        [3_000, () => listener.onArrived(`user-${round}`)],
        [shownAt, () => listener.onStarted({})],
      ];
      let now = 0;
      for (const [at, step] of steps.sort(([one], [other]) => one - other)) {
        service.clock.advance(at - now);
        now = at;
        await step();
        await settled();
        assert.equal(reason(), undefined, `round ${round}, ${at} ms`);
      }
      service.clock.advance(5_000);
      listener.onViewers(0);
      await endsInASecond();
    }
  });
});

/** A viewer's connection, as the gateway passes it on. */
async function connect({ sessions }: TestService, { session_id: id }: Access, round: number): Promise<void> {
  const request = { method: 'GET', url: '/', headers: {} };
  const viewer = { userId: `user-${round}`, request, head: '', ip: '192.0.2.1' };
  const socket = createConnection({ host: '127.0.0.1', port: 9 });
  socket.on('error', () => undefined);
  await sessions.live(id)?.attach(viewer, socket, { scope: 'control' });
}
