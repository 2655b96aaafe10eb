import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** The session answers the newest call, or the one with this index. */
function answer(what: { result?: unknown; error?: typeof ERROR } = {}, index = -1): void {
  host.last.send({ type: 'answer', id: host.last.of('call').at(index)?.id ?? 0, ...what });
}

const ERROR = { code: 'err_forbidden', message: 'Not you.' } as const;
const EVENT = 'tabs.onReplaced';
/** Subscribes, and returns the arguments of each event. */
function subscribe(): { seen: unknown[][]; listen: Promise<void> } {
  const seen: unknown[][] = [];
  return { seen, listen: client.remote.subscribe(EVENT, (...args) => seen.push(args)) };
}
const publish = () => host.last.send({ type: 'event', name: EVENT, args: [1, 2] });
const calls = () => host.last.of('call').map(({ method, args }) => [method, ...args]);
/** The connection is lost, and a new one is made. */
function reconnect(): void {
  host.last.close();
  timers.advance(60_000);
  host.last.welcome();
}

describe('a call to the session', () => {
  it('needs a connection', async () => {
    await assert.rejects(client.remote.call('tabs.query', [{}]), NotConnectedError);
  });

  it('resolves to its result, in any order of the answers', async () => {
    await connect();
    const [first, second] = [client.remote.call('kick', ['a']), client.remote.call('users.me')];
    assert.deepEqual(calls(), [['kick', 'a'], ['users.me']]);
    answer({ result: 'two' }, 1);
    answer({}, 0);
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
    answer({ error: ERROR });
    await assert.rejects(call, CallError);
    await assert.rejects(call, ERROR);
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
    const [one, other] = [subscribe(), subscribe()];
    assert.deepEqual(calls(), [['subscribe', EVENT]]);
    answer();
    await Promise.all([one.listen, other.listen]);
    const third = subscribe();
    await third.listen;
    assert.equal(calls().length, 1);
    publish();
    for (const { seen } of [one, other, third]) assert.deepEqual(seen, [[1, 2]]);
    reconnect();
    assert.deepEqual(calls(), [['subscribe', EVENT]]);
  });

  it('that is refused is removed', async () => {
    await connect();
    const { seen, listen } = subscribe();
    answer({ error: ERROR });
    await assert.rejects(listen, CallError);
    publish();
    assert.deepEqual(seen, []);
  });

  it('that is refused is refused to all listeners that wait for it, and a later one requests it again', async () => {
    await connect();
    const refused = [subscribe(), subscribe()];
    assert.equal(calls().length, 1);
    answer({ error: ERROR });
    for (const { listen } of refused) await assert.rejects(listen, CallError);
    const allowed = subscribe();
    assert.equal(calls().length, 2);
    answer();
    await allowed.listen;
    publish();
    assert.deepEqual(allowed.seen, [[1, 2]]);
  });

  it('that is not answered in time fails for its first listener, and is requested again for the others', async () => {
    await connect();
    const [first, ...others] = [subscribe(), subscribe(), subscribe()] as const;
    // In one step, so that the connection does not count as dead.
    timers.sleep(CALL_TIMEOUT_MS);
    await assert.rejects(first.listen, CallTimeoutError);
    assert.deepEqual(calls(), [
      ['subscribe', EVENT],
      ['subscribe', EVENT],
    ]);
    answer();
    await Promise.all(others.map(({ listen }) => listen));
    publish();
    assert.deepEqual(first.seen, []);
    for (const { seen } of others) assert.deepEqual(seen, [[1, 2]]);
    client.disconnect();
  });

  it('that is not answered in time is not requested again for a listener that was removed', async () => {
    await connect();
    const listener = () => undefined;
    const first = client.remote.subscribe(EVENT, () => undefined);
    const second = client.remote.subscribe(EVENT, listener);
    client.remote.unsubscribe(EVENT, listener);
    timers.sleep(CALL_TIMEOUT_MS);
    for (const late of [first, second]) await assert.rejects(late, CallTimeoutError);
    assert.equal(calls().length, 1);
    client.disconnect();
  });

  it('that is not answered before the connection is lost is requested on the next one', async () => {
    await connect();
    const { seen, listen } = subscribe();
    reconnect();
    await listen;
    assert.deepEqual(calls(), [['subscribe', EVENT]]);
    publish();
    assert.deepEqual(seen, [[1, 2]]);
  });

  describe('that is renewed on the next connection', () => {
    let errors: Error[];
    let seen: unknown[];
    const listener = (...args: unknown[]) => void seen.push(args);

    beforeEach(async () => {
      [errors, seen] = [[], []];
      await client.remote.subscribe(EVENT, listener);
      client.on('error', (failure) => errors.push(failure));
      await connect();
    });

    it('is requested again if no answer comes', async () => {
      // In one step, so that the connection does not count as dead.
      timers.sleep(CALL_TIMEOUT_MS);
      await nextTurn();
      assert.deepEqual(calls(), [
        ['subscribe', EVENT],
        ['subscribe', EVENT],
      ]);
      publish();
      assert.deepEqual([errors, seen], [[], [[1, 2]]]);
      client.disconnect();
    });

    it('is reported as an error if the session refuses', async () => {
      answer({ error: ERROR });
      await nextTurn();
      const codes = errors.map((failure) => failure instanceof CallError && failure.code);
      assert.deepEqual(codes, ['err_forbidden']);
      client.disconnect();
    });

    it('is not reported if the session refuses after the last listener was removed', async () => {
      client.remote.unsubscribe(EVENT, listener);
      answer({ error: ERROR }, 0);
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
    const listen = client.remote.subscribe(EVENT, listener);
    answer();
    await listen;
    client.remote.unsubscribe(EVENT, listener);
    assert.deepEqual(calls().at(-1), ['unsubscribe', EVENT]);
    client.disconnect();
  });
});
