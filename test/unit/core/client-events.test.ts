import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { CloudBrowserClient } from '../../../src/core/index.js';

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

  it('pass the error of a listener to the code that emits', () => {
    const error = new Error('a listener failed');
    client.on('rtt', () => {
      throw error;
    });
    assert.throws(() => client.emit('rtt', 1), error);
  });

  it('named `error` need no listener', () => {
    assert.equal(client.emit('error', new Error('nobody listens')), false);
  });
});
