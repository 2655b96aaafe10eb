import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anySignal } from '../../../src/replay/loading/silence-limit.js';

describe('a signal of several signals', () => {
  it('is aborted with the first one, and keeps its reason', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const signal = anySignal(first.signal, second.signal);
    assert.equal(signal.aborted, false);
    second.abort('second');
    first.abort('first');
    assert.deepEqual([signal.aborted, signal.reason], [true, 'second']);
  });

  it('is aborted at once if one of them already is', () => {
    const signal = anySignal(new AbortController().signal, AbortSignal.abort('before'));
    assert.deepEqual([signal.aborted, signal.reason], [true, 'before']);
  });
});
