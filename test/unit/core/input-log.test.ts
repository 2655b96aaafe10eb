import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InputLog } from '../../../src/core/input/input-log.js';

describe('InputLog', () => {
  it('starts at 1, because 0 stands for no event', () => {
    assert.equal(new InputLog().next(0), 1);
  });

  it('returns no latency for an event without an early change', () => {
    const log = new InputLog();
    const seq = log.next(0);
    assert.equal(log.latency(seq, 5000), undefined);
  });

  it('returns no latency for an event that was dropped from the log', () => {
    const log = new InputLog();
    for (let count = 0; count < 2000; count++) log.next(0);
    assert.equal(log.latency(1, 1), undefined);
    assert.equal(log.latency(2000, 1), 1);
  });
});
