import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { CloudBrowserClient } from '../../../src/core/client.js';
import { DisconnectedError, EmbedUrlError, NotConnectedError } from '../../../src/core/errors.js';
import { backoff, noReconnect, type ReconnectPolicy } from '../../../src/core/connection/reconnect-policy.js';
import { closeCodeOf } from '../../../src/protocol/index.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

describe('the connection of a client', () => {
  let host: FakeHost;
  let timers: ManualTimers;
  let states: string[];

  beforeEach(() => {
    host = new FakeHost();
    timers = new ManualTimers();
    states = [];
  });

  function makeClient(reconnect: ReconnectPolicy = backoff({ jitter: 0 })): CloudBrowserClient {
    const client = new CloudBrowserClient({
      embedUrl: 'https://host.example/abc?token=t',
      media: ['h264', 'image'],
      createSocket: host.createSocket,
      timers,
      reconnect,
    });
    client.on('state', ({ state }) => states.push(state));
    return client;
  }

  /** The host welcomes the client that connects. */
  async function welcomed<T>(connecting: Promise<T>): Promise<T> {
    host.last.welcome();
    return connecting;
  }

  async function makeConnected(reconnect?: ReconnectPolicy): Promise<CloudBrowserClient> {
    const client = makeClient(reconnect);
    await welcomed(client.connect());
    return client;
  }

  it('connects to the wss address of the embed URL and sends a hello', async () => {
    const client = await makeConnected();
    assert.equal(host.last.url, 'wss://host.example/abc?token=t');
    assert.equal(host.last.subprotocol, 'cloud-browser.v1');
    const [hello] = host.last.of('hello');
    const media = ['h264', 'image'];
    assert.deepEqual(hello, { type: 'hello', version: 1, media, tellsHeld: true, secondConnection: true });
    assert.deepEqual(states, ['connecting', 'playing']);
    assert.equal(client.userId, 'user-1');
  });

  it('sends the current user data with every hello', async () => {
    const client = makeClient();
    client.setUserdata({ token: 1 });
    await welcomed(client.connect());
    assert.deepEqual(host.last.of('hello')[0]?.userdata, { token: 1 });
    client.setUserdata({ token: 2 });
    await welcomed(client.reconnect());
    assert.deepEqual(host.last.of('hello')[0]?.userdata, { token: 2 });
    client.setUserdata(0);
    void client.reconnect();
    host.last.welcome();
    assert.equal(host.last.of('hello')[0]?.userdata, 0);
  });

  it('refuses an embed URL that no session can have', () => {
    for (const embedUrl of ['', 'session', 'ftp://host/x']) {
      assert.throws(() => new CloudBrowserClient({ embedUrl, media: ['image'] }), EmbedUrlError);
    }
  });

  it('shares one attempt between callers of connect', async () => {
    const client = makeClient();
    const [first, second] = await welcomed(Promise.all([client.connect(), client.connect()]));
    assert.equal(first, second);
    assert.equal(host.connections.length, 1);
  });

  it('returns as the same user after a lost connection', async () => {
    const client = await makeConnected();
    host.last.close(1006);
    assert.equal(client.state, 'reconnecting');
    timers.advance(0);
    host.last.welcome();
    assert.deepEqual(host.last.of('hello')[0]?.resume, { userId: 'user-1', secret: 'secret-1' });
    assert.deepEqual(states, ['connecting', 'playing', 'reconnecting', 'playing']);
  });

  it('retries with growing delays and fails as unreachable when the policy gives up', async () => {
    const client = await makeConnected(
      backoff({ jitter: 0, firstDelay: 1000, factor: 2, giveUpAfter: 6000 }),
    );
    const attempts: number[] = [];
    host.last.close();
    timers.advance(0);
    while (client.state === 'reconnecting') {
      attempts.push(timers.now());
      host.last.close();
      timers.advanceToNext();
    }
    assert.deepEqual(attempts, [0, 1000, 3000, 6000]);
    assert.equal(client.state, 'failed');
    assert.equal(client.disconnection?.reason, 'unreachable');
    assert.equal(timers.pending, 0);
  });

  it('rejects connect when a first connection fails', async () => {
    const client = makeClient(noReconnect);
    const connected = client.connect();
    host.last.close();
    await assert.rejects(connected, DisconnectedError);
    await assert.rejects(connected, { reason: 'unreachable' });
    assert.equal(client.state, 'failed');
  });

  it('treats the close reason of the session as final', async () => {
    const client = await makeConnected();
    const disconnections: unknown[] = [];
    client.on('disconnect', (event) => disconnections.push(event));
    host.last.close(closeCodeOf('kicked'), 'An admin removed you.');
    timers.advance(120_000);
    assert.equal(client.state, 'closed');
    assert.deepEqual(disconnections, [{ reason: 'kicked', message: 'An admin removed you.' }]);
    assert.equal(host.connections.length, 1);
  });

  it('rejects with the reason of a refusal before the welcome', async () => {
    const connected = makeClient().connect();
    host.last.open();
    host.last.close(closeCodeOf('unauthorized'));
    await assert.rejects(connected, { code: 'err_disconnected', reason: 'unauthorized' });
  });

  it('refuses a session with another protocol version', async () => {
    const connected = makeClient().connect();
    host.last.welcome({ version: 2 });
    await assert.rejects(connected, { reason: 'unsupported' });
  });

  it('retries when the session does not answer', () => {
    void makeClient().connect();
    host.last.open();
    timers.advance(10_000);
    assert.equal(host.connections[0]?.closed, true);
    timers.advance(1000);
    assert.equal(host.connections.length, 2);
  });

  it('disconnects on request, also during an attempt', async () => {
    const client = makeClient();
    const connected = client.connect();
    client.disconnect();
    await assert.rejects(connected, { reason: 'disconnected' });
    host.last.welcome();
    assert.deepEqual(states, ['connecting', 'closed']);
    assert.equal(timers.pending, 0);
  });

  it('connects again after a disconnect', async () => {
    const client = await makeConnected();
    client.disconnect();
    await welcomed(client.connect());
    assert.deepEqual(states, ['connecting', 'playing', 'closed', 'connecting', 'playing']);
    assert.equal(client.disconnection, undefined);
  });

  it('reconnects at once on request without the backoff', async () => {
    const client = await makeConnected();
    host.last.close();
    timers.advance(0);
    host.last.close();
    const again = client.reconnect();
    assert.equal(host.connections.length, 3);
    host.last.welcome();
    await again;
    assert.equal(client.state, 'playing');
  });

  it('ignores messages of an abandoned connection', async () => {
    const client = await makeConnected();
    const [old] = host.connections;
    await welcomed(client.reconnect());
    old?.close(closeCodeOf('ended'));
    assert.equal(client.state, 'playing');
  });

  it('measures the round trip of its heartbeat', async () => {
    const client = await makeConnected();
    timers.advance(30);
    host.last.send({ type: 'pong', id: host.last.of('ping')[0]?.id ?? 0 });
    assert.equal(client.rtt, 30);
  });

  it('sends a ping on request and resolves to the round trip', async () => {
    const client = await makeConnected();
    const ping = client.ping();
    const sent = host.last.of('ping').at(-1);
    assert.equal(sent?.active, true);
    timers.advance(12);
    host.last.send({ type: 'pong', id: sent.id });
    assert.equal(await ping, 12);
  });

  it('rejects a ping when the connection is lost before the answer', async () => {
    const client = await makeConnected();
    const ping = client.ping();
    host.last.close();
    await assert.rejects(ping, NotConnectedError);
    await assert.rejects(client.ping(), NotConnectedError);
  });

  it('leaves a connection that has become silent', async () => {
    const client = await makeConnected();
    timers.advance(8000);
    assert.equal(client.state, 'reconnecting');
    assert.equal(host.connections[0]?.closed, true);
  });

  it('does not mistake its own late timer for a dead connection', async () => {
    const client = await makeConnected();
    timers.sleep(30_000);
    assert.equal(client.state, 'playing');
  });

  it('reports a runtime that cannot connect', async () => {
    const client = new CloudBrowserClient({
      embedUrl: 'http://localhost/x',
      media: ['image'],
      createSocket: () => {
        throw new Error('No sockets here.');
      },
    });
    await assert.rejects(client.connect(), { reason: 'unsupported', message: 'No sockets here.' });
  });

  describe('whose promise has no handler', () => {
    /** Unhandled rejections are reported in a later turn. */
    const later = () => new Promise((resolve) => setImmediate(resolve));

    it('fails without an unhandled rejection, however the attempt ends', async () => {
      void makeClient().connect();
      host.last.close(closeCodeOf('unauthorized'));
      void makeClient(noReconnect).reconnect();
      host.last.close();
      const client = makeClient();
      client.on('state', ({ state }) => state === 'connecting' && client.disconnect());
      void client.connect();
      const pinging = await makeConnected();
      void pinging.ping();
      host.last.close();
      await later();
      assert.equal(client.state, 'closed');
    });
  });

  describe('whose listeners call it during an event', () => {
    function on(state: string, act: (client: CloudBrowserClient) => void): CloudBrowserClient {
      const client = makeClient();
      client.on('state', (change) => change.state === state && act(client));
      return client;
    }

    it('opens no connection when it is disconnected before the first attempt', () => {
      void on('connecting', (client) => client.disconnect()).connect();
      assert.equal(host.connections.length, 0);
    });

    it('opens one connection when it is reconnected before the first attempt', async () => {
      let once = true;
      const client = on('connecting', () => {
        if (once) void client.reconnect();
        once = false;
      });
      const connected = client.connect();
      assert.equal(host.connections.length, 1);
      host.last.welcome();
      await connected;
    });

    it('accepts calls as soon as it plays', () => {
      const client = on('playing', () => void client.remote.call('users.me'));
      void client.connect();
      host.last.welcome();
      assert.equal(host.last.of('call')[0]?.method, 'users.me');
    });

    it('refuses calls for a connection that ends while it begins', async () => {
      const client = on('playing', () => client.disconnect());
      let told = false;
      client.on('welcome', () => (told = true));
      void client.connect();
      host.last.welcome();
      await assert.rejects(client.remote.call('users.me'), NotConnectedError);
      assert.deepEqual([client.state, told], ['closed', false]);
    });
  });

  describe('with sockets that report late or early', () => {
    it('ignores all events of an older attempt', async () => {
      const client = await makeConnected();
      const old = host.last;
      const heard: string[] = [];
      for (const name of ['welcome', 'stream', 'cursor', 'error', 'disconnect'] as const)
        client.on(name, () => heard.push(name));
      void client.reconnect();
      old.welcome({ userId: 'somebody-else' });
      old.send({ type: 'cursor', shape: 'none' });
      old.listener.onMessage('not json');
      old.close(closeCodeOf('kicked'));
      assert.deepEqual([heard, client.state, client.userId], [[], 'reconnecting', 'user-1']);
      host.last.welcome();
      assert.deepEqual([heard, client.state], [['welcome'], 'playing']);
    });

    it('retries after a socket that closed while it was created', () => {
      let made = 0;
      const client = new CloudBrowserClient({
        embedUrl: 'https://host.example/abc',
        media: ['image'],
        timers,
        createSocket: (url, subprotocol, listener) => {
          made += 1;
          if (made > 1) return host.createSocket(url, subprotocol, listener);
          listener.onClose(1006, '');
          return { send: () => undefined, close: () => undefined };
        },
      });
      void client.connect();
      timers.advanceToNext();
      host.last.welcome();
      assert.deepEqual([made, client.state], [2, 'playing']);
    });
  });
});
