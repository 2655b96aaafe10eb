import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { backoff } from '../../../src/core/connection/reconnect-policy.js';

describe('backoff', () => {
  it('retries at once after a loss', () => {
    assert.equal(backoff().nextDelay({ phase: 'reconnect', attempt: 0, elapsed: 0 }), 0);
  });

  it('subtracts the jitter from each delay', () => {
    const policy = backoff({ firstDelay: 1000, jitter: 0.5, random: () => 0.5 });
    assert.equal(policy.nextDelay({ phase: 'reconnect', attempt: 1, elapsed: 0 }), 750);
  });

  it('never exceeds the longest delay', () => {
    const policy = backoff({ jitter: 0, maxDelay: 3000 });
    assert.equal(policy.nextDelay({ phase: 'reconnect', attempt: 50, elapsed: 1000 }), 3000);
  });

  it('gives up after about a minute, or sooner for a first connection', () => {
    const policy = backoff();
    assert.notEqual(policy.nextDelay({ phase: 'reconnect', attempt: 9, elapsed: 59_000 }), undefined);
    assert.equal(policy.nextDelay({ phase: 'reconnect', attempt: 9, elapsed: 60_000 }), undefined);
    assert.equal(policy.nextDelay({ phase: 'connect', attempt: 9, elapsed: 20_000 }), undefined);
  });
});
