import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  CallError,
  CallTimeoutError,
  CloudBrowserClient,
  NotConnectedError,
} from '../../../src/core/index.js';
import { CALL_TIMEOUT_MS, PendingCalls } from '../../../src/core/calls/pending-calls.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

let host: FakeHost;
let timers: ManualTimers;
let client: CloudBrowserClient;
beforeEach(() => {
  host = new FakeHost();
  timers = new ManualTimers();
  const { createSocket } = host;
  client = new CloudBrowserClient({
    embedUrl: 'https://example.com/abc?token=t',
    media: ['image'],
    createSocket,
    timers,
  });
});

async function connect(): Promise<void> {
  const connected = client.connect();
  host.last.welcome();
  await connected;
}

describe('a call to the session', () => {
  it('needs a connection', async () => {
    await assert.rejects(client.remote.call('tabs.query', [{}]), NotConnectedError);
  });

  it('resolves to its result, in any order of the answers', async () => {
    await connect();
    const [first, second] = [client.remote.call('kick', ['a']), client.remote.call('users.me')];
    const [a, b] = host.last.of('call');
    assert.deepEqual([a?.method, a?.args, b?.args], ['kick', ['a'], []]);
    host.last.send({ type: 'answer', id: b?.id ?? 0, result: 'two' });
    host.last.send({ type: 'answer', id: a?.id ?? 0 });
    assert.deepEqual(await Promise.all([first, second]), [undefined, 'two']);
  });

  it('includes the admin token once it is set', async () => {
    await connect();
    client.remote.adminToken = 'secret';
    void client.remote.call('users.me').catch(() => undefined);
    assert.equal(host.last.of('call')[0]?.adminToken, 'secret');
    client.disconnect();
  });

  it('rejects with the code and the message of the session', async () => {
    await connect();
    const call = client.remote.call('users.me');
    const id = host.last.of('call')[0]?.id ?? 0;
    host.last.send({ type: 'answer', id, error: { code: 'err_forbidden', message: 'Not you.' } });
    await assert.rejects(call, (error: unknown) => {
      assert.ok(error instanceof CallError);
      assert.deepEqual([error.code, error.message], ['err_forbidden', 'Not you.']);
      return true;
    });
  });

  it('rejects when no answer arrives', async () => {
    const late = new PendingCalls(timers).begin({ method: 'users.me', args: [] }, () => undefined);
    timers.advance(CALL_TIMEOUT_MS);
    await assert.rejects(late, CallTimeoutError);
  });

  it('rejects when the connection is lost', async () => {
    await connect();
    const cut = client.remote.call('users.me');
    host.last.close();
    await assert.rejects(cut, NotConnectedError);
  });
});

describe('a subscription', () => {
  it('requests the event once, delivers it to all listeners, and requests it again after a reconnect', async () => {
    await connect();
    const seen: unknown[][] = [];
    const listen = client.remote.subscribe('tabs.onReplaced', (...args) => seen.push(args));
    const [asked] = host.last.of('call');
    assert.deepEqual([asked?.method, asked?.args], ['subscribe', ['tabs.onReplaced']]);
    host.last.send({ type: 'answer', id: asked?.id ?? 0 });
    await listen;
    await client.remote.subscribe('tabs.onReplaced', (...args) => seen.push(args));
    assert.equal(host.last.of('call').length, 1);
    host.last.send({ type: 'event', name: 'tabs.onReplaced', args: [1, 2] });
    assert.deepEqual(seen, [
      [1, 2],
      [1, 2],
    ]);
    host.last.close();
    timers.advance(60_000);
    host.last.welcome();
    assert.deepEqual(
      host.last.of('call').map(({ args }) => args),
      [['tabs.onReplaced']],
    );
  });

  it('that is refused is removed', async () => {
    await connect();
    const seen: unknown[] = [];
    const listen = client.remote.subscribe('tabs.onReplaced', (...args) => seen.push(args));
    const id = host.last.of('call')[0]?.id ?? 0;
    host.last.send({ type: 'answer', id, error: { code: 'err_forbidden', message: 'Not you.' } });
    await assert.rejects(listen, CallError);
    host.last.send({ type: 'event', name: 'tabs.onReplaced', args: [] });
    assert.deepEqual(seen, []);
  });

  it('that is refused is refused to all listeners that wait for it, and a later one requests it again', async () => {
    await connect();
    const listens = [1, 2].map(() => client.remote.subscribe('tabs.onReplaced', () => undefined));
    const [asked, ...more] = host.last.of('call');
    assert.deepEqual(more, []);
    host.last.send({
      ...{ type: 'answer', id: asked?.id ?? 0 },
      error: { code: 'err_forbidden', message: 'Not you.' },
    });
    for (const listen of listens) await assert.rejects(listen, CallError);
    const seen: unknown[] = [];
    const allowed = client.remote.subscribe('tabs.onReplaced', (...args) => seen.push(args));
    assert.equal(host.last.of('call').length, 2);
    host.last.send({ type: 'answer', id: host.last.of('call')[1]?.id ?? 0 });
    await allowed;
    host.last.send({ type: 'event', name: 'tabs.onReplaced', args: [1, 2] });
    assert.deepEqual(seen, [[1, 2]]);
  });

  it('that is not answered in time fails for its first listener, and is requested again for the others', async () => {
    await connect();
    const seen: unknown[] = [];
    const [first, ...others] = [1, 2, 3].map((number) =>
      client.remote.subscribe('tabs.onReplaced', () => seen.push(number)),
    );
    // In one step, so that the connection does not count as dead.
    timers.sleep(CALL_TIMEOUT_MS);
    await assert.rejects(first ?? Promise.resolve(), CallTimeoutError);
    const calls = host.last.of('call');
    assert.deepEqual(
      calls.map(({ method, args }) => [method, args]),
      [
        ['subscribe', ['tabs.onReplaced']],
        ['subscribe', ['tabs.onReplaced']],
      ],
    );
    host.last.send({ type: 'answer', id: calls[1]?.id ?? 0 });
    await Promise.all(others);
    host.last.send({ type: 'event', name: 'tabs.onReplaced', args: [1, 2] });
    assert.deepEqual(seen, [2, 3]);
    client.disconnect();
  });

  it('that is not answered in time is not requested again for a listener that was removed', async () => {
    await connect();
    const listener = () => undefined;
    const first = client.remote.subscribe('tabs.onReplaced', () => undefined);
    const second = client.remote.subscribe('tabs.onReplaced', listener);
    client.remote.unsubscribe('tabs.onReplaced', listener);
    timers.sleep(CALL_TIMEOUT_MS);
    for (const late of [first, second]) await assert.rejects(late, CallTimeoutError);
    assert.equal(host.last.of('call').length, 1);
    client.disconnect();
  });

  it('that is not answered before the connection is lost is requested on the next one', async () => {
    await connect();
    const seen: unknown[] = [];
    const listen = client.remote.subscribe('tabs.onReplaced', (...args) => seen.push(args));
    host.last.close();
    await listen;
    timers.advance(60_000);
    host.last.welcome();
    assert.deepEqual(
      host.last.of('call').map(({ args }) => args),
      [['tabs.onReplaced']],
    );
    host.last.send({ type: 'event', name: 'tabs.onReplaced', args: [1, 2] });
    assert.deepEqual(seen, [[1, 2]]);
  });

  describe('that is renewed on the next connection', () => {
    const error = { code: 'err_forbidden', message: 'Not you.' } as const;
    let errors: Error[];
    let seen: unknown[];
    const listener = (...args: unknown[]) => void seen.push(args);
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

    beforeEach(async () => {
      [errors, seen] = [[], []];
      await client.remote.subscribe('tabs.onReplaced', listener);
      client.on('error', (failure) => errors.push(failure));
      await connect();
    });

    it('is requested again if no answer comes', async () => {
      // In one step, so that the connection does not count as dead.
      timers.sleep(CALL_TIMEOUT_MS);
      await nextTurn();
      const calls = host.last.of('call');
      assert.deepEqual(
        calls.map(({ args }) => args),
        [['tabs.onReplaced'], ['tabs.onReplaced']],
      );
      host.last.send({ type: 'event', name: 'tabs.onReplaced', args: [1, 2] });
      assert.deepEqual([errors, seen], [[], [[1, 2]]]);
      client.disconnect();
    });

    it('is reported as an error if the session refuses', async () => {
      host.last.send({ type: 'answer', id: host.last.of('call')[0]?.id ?? 0, error });
      await nextTurn();
      assert.deepEqual(
        errors.map((failure) => failure instanceof CallError && failure.code),
        ['err_forbidden'],
      );
      client.disconnect();
    });

    it('is not reported if the session refuses after the last listener was removed', async () => {
      client.remote.unsubscribe('tabs.onReplaced', listener);
      host.last.send({ type: 'answer', id: host.last.of('call')[0]?.id ?? 0, error });
      await nextTurn();
      assert.deepEqual(errors, []);
      client.disconnect();
    });

    it('is not reported if the connection is lost', async () => {
      client.disconnect();
      await nextTurn();
      assert.deepEqual(errors, []);
    });
  });

  it('ends with its last listener', async () => {
    await connect();
    const listener = () => undefined;
    const listen = client.remote.subscribe('tabs.onReplaced', listener);
    host.last.send({ type: 'answer', id: host.last.of('call')[0]?.id ?? 0 });
    await listen;
    client.remote.unsubscribe('tabs.onReplaced', listener);
    assert.deepEqual(host.last.of('call').at(-1)?.method, 'unsubscribe');
    client.disconnect();
  });
});
