import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { CloudBrowserClient } from '../../../src/core/client.js';
import { watchNetwork } from '../../../src/core/connection/network.js';
import { backoff, noReconnect, type ReconnectPolicy } from '../../../src/core/connection/reconnect-policy.js';
import { closeCodeOf } from '../../../src/protocol/index.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

describe('a client on a machine that loses and regains its network', () => {
  let host: FakeHost;
  let timers: ManualTimers;
  let listeners: Set<(online: boolean) => void>;

  beforeEach(() => {
    host = new FakeHost();
    timers = new ManualTimers();
    listeners = new Set();
  });

  const network = (online: boolean) => [...listeners].forEach((listener) => listener(online));

  function makeClient(reconnect: ReconnectPolicy = backoff({ jitter: 0 })): CloudBrowserClient {
    return new CloudBrowserClient({
      embedUrl: 'https://host.example/abc?token=t',
      media: ['image'],
      ...{ createSocket: host.createSocket, timers, reconnect },
      watchNetwork: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
  }

  async function makeConnected(reconnect?: ReconnectPolicy): Promise<CloudBrowserClient> {
    const client = makeClient(reconnect);
    const connected = client.connect();
    host.last.welcome();
    await connected;
    return client;
  }

  it('counts as disconnected at once, and reconnects at once', async () => {
    const client = await makeConnected();
    const told: boolean[] = [];
    client.on('network', (online) => told.push(online));
    network(false);
    assert.deepEqual([client.state, client.offline, host.connections.length], ['reconnecting', true, 1]);
    network(true);
    assert.deepEqual([client.offline, host.connections.length], [false, 2]);
    host.last.welcome();
    assert.deepEqual([client.state, told], ['playing', [false, true]]);
    assert.deepEqual(host.last.of('hello')[0]?.resume, { userId: 'user-1', secret: 'secret-1' });
  });

  it('retries after a second even when the machine reports no network', async () => {
    const client = await makeConnected();
    network(false);
    timers.advance(999);
    assert.equal(host.connections.length, 1);
    timers.advance(1);
    host.last.welcome();
    assert.equal(client.state, 'playing');
  });

  it('abandons an attempt on the network that was lost', async () => {
    const client = makeClient();
    const connected = client.connect();
    network(true);
    assert.equal(host.connections.length, 2);
    host.last.welcome();
    assert.equal((await connected).userId, 'user-1');
  });

  it('reconnects after it gave up, unless reconnects are off', async () => {
    const client = await makeConnected();
    network(false);
    while (client.state === 'reconnecting') {
      timers.advanceToNext();
      if (host.connections.length > 1) host.last.close(1006);
    }
    assert.equal(client.state, 'failed');
    network(true);
    assert.equal(client.state, 'connecting');
    host.last.welcome();
    assert.equal(client.state, 'playing');

    const final = await makeConnected(noReconnect);
    network(false);
    network(true);
    assert.equal(final.state, 'failed');
  });

  it('reports each change of the network once', async () => {
    const client = await makeConnected();
    const told: boolean[] = [];
    client.on('network', (online) => told.push(online));
    network(true);
    assert.deepEqual([client.state, host.connections.length, told], ['playing', 1, []]);
    network(false);
    network(true);
    network(true);
    assert.deepEqual(told, [false, true]);
  });

  it('listens only while a connection is wanted', async () => {
    const client = makeClient();
    assert.equal(listeners.size, 0);
    void client.connect();
    host.last.welcome();
    assert.equal(listeners.size, 1);
    client.disconnect();
    assert.equal(listeners.size, 0);
    void client.connect();
    host.last.welcome();
    host.last.close(closeCodeOf('inactive'));
    assert.equal(listeners.size, 0);
    network(true);
    assert.equal(client.state, 'closed');
  });

  it('does not reconnect after a failure and a disconnect', async () => {
    const client = await makeConnected(noReconnect);
    host.last.close(1006);
    assert.deepEqual([client.state, listeners.size], ['failed', 1]);
    client.disconnect();
    assert.equal(listeners.size, 0);
  });
});

describe('the watch of the network in a page', () => {
  it('takes a page that is shown again as a network that has returned', () => {
    const page = new EventTarget();
    const told: boolean[] = [];
    const globals = {
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
      document: { hidden: true },
    };
    Object.assign(globalThis, globals);
    try {
      const stop = watchNetwork((online) => told.push(online));
      const fire = (type: string) => page.dispatchEvent(new Event(type));
      fire('visibilitychange');
      assert.deepEqual(told, []);
      globals.document.hidden = false;
      fire('visibilitychange');
      fire('offline');
      fire('online');
      assert.deepEqual(told, [true, false, true]);
      stop();
      fire('visibilitychange');
      assert.equal(told.length, 3);
    } finally {
      for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
    }
  });
});
