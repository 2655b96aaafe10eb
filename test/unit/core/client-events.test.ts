import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import { CloudBrowserClient } from '../../../src/core/index.js';
import { connectedClient } from '../../fakes/connected-client.js';
import { FakeHost } from '../../fakes/fake-host.js';

/** The promises of the SDK about events. They must hold for the library that calls the listeners. */
describe('the events of a client', () => {
  let client: CloudBrowserClient;
  let told: string[];
  const first = (rtt: number) => void told.push(`first ${rtt}`);
  const second = (rtt: number) => void told.push(`second ${rtt}`);
  beforeEach(() => {
    client = new CloudBrowserClient({ embedUrl: 'https://host.example/a', media: [] });
    told = [];
  });

  it('reach the listeners in their order, also with chained calls', () => {
    client.on('rtt', first).once('rtt', second);
    for (const rtt of [1, 2]) client.emit('rtt', rtt);
    assert.deepEqual(told, ['first 1', 'second 1', 'first 2']);
  });

  it('reach only the listeners that existed when the event began', () => {
    client.on('rtt', () => client.off('rtt', second).on('rtt', first));
    client.on('rtt', second).emit('rtt', 1);
    assert.deepEqual(told, ['second 1']);
  });

  it('reach a once listener once, even if it causes the next event', () => {
    client.once('rtt', (rtt) => {
      told.push(`once ${rtt}`);
      client.emit('rtt', rtt + 1);
    });
    client.emit('rtt', 1);
    assert.deepEqual(told, ['once 1']);
  });

  it('do not reach a removed listener, however it was added', () => {
    client.on('rtt', first).once('rtt', first).on('rtt', second).off('rtt', first);
    client.emit('rtt', 1);
    client.off('rtt').emit('rtt', 2);
    assert.deepEqual(told, ['second 1']);
  });

  it('call a listener with its context', () => {
    const context = { last: 0 };
    client.on(
      'rtt',
      function (this: typeof context, rtt) {
        this.last = rtt;
      },
      context,
    );
    client.emit('rtt', 7);
    assert.equal(context.last, 7);
  });

  it('named `error` need no listener', () => {
    assert.equal(client.emit('error', new Error('nobody listens')), false);
  });
});

/** Runs an act. Returns the errors that it reports to the runtime as uncaught. */
async function uncaughtIn(act: () => void | Promise<void>): Promise<unknown[]> {
  const errors: unknown[] = [];
  const queue = mock.method(globalThis, 'queueMicrotask', (run: () => void) => {
    try {
      run();
    } catch (error) {
      errors.push(error);
    }
  });
  await act();
  queue.mock.restore();
  return errors;
}

describe('the error of a listener', () => {
  const error = new Error('a listener failed');
  const fail = () => {
    throw error;
  };

  it('is reported as uncaught, and the other listeners are called', async () => {
    const client = new CloudBrowserClient({ embedUrl: 'https://host.example/a', media: [] });
    let told = 0;
    client.on('rtt', fail).on('rtt', () => (told += 1));
    assert.deepEqual(await uncaughtIn(() => void client.emit('rtt', 1)), [error]);
    assert.equal(told, 1);
  });

  it('does not stop a reconnect', async () => {
    const { client, host, timers } = await connectedClient();
    host.last.send({ type: 'recording', on: true });
    client.on('recording', fail).on('state', fail);
    const errors = await uncaughtIn(() => {
      host.last.close();
      timers.advanceToNext();
      host.last.welcome();
    });
    assert.equal(client.state, 'playing');
    assert.deepEqual(errors, [error, error, error]);
  });

  it('does not stop the first attempt to connect', async () => {
    const host = new FakeHost();
    const { createSocket } = host;
    const client = new CloudBrowserClient({
      embedUrl: 'https://host.example/a',
      media: ['image'],
      createSocket,
    });
    client.on('state', fail);
    const errors = await uncaughtIn(async () => {
      const connected = client.connect();
      host.last.welcome();
      await connected;
      client.disconnect();
    });
    assert.deepEqual(errors, [error, error, error]);
  });

  it('does not keep an event of the session from other listeners', async () => {
    const { client, host } = await connectedClient();
    let told = 0;
    void client.remote.subscribe('files.onRemoved', fail);
    void client.remote.subscribe('files.onRemoved', () => (told += 1));
    const failures: Error[] = [];
    client.on('error', (failure) => failures.push(failure));
    const errors = await uncaughtIn(() =>
      host.last.send({ type: 'event', name: 'files.onRemoved', args: ['1'] }),
    );
    assert.deepEqual([errors, told, failures], [[error], 1, []]);
  });
});
