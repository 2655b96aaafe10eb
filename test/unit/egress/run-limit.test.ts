import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RunLimit } from '../../../server/src/egress/pac/run-limit.js';

describe('the time limit of a script', () => {
  it('is reached after this processor time', () => {
    let time = 0;
    const limit = new RunLimit({ now: () => time, used: () => time });
    limit.begin(100);
    time = 99;
    assert.equal(limit.isReached, false);
    time = 100;
    assert.equal(limit.isReached, true);
  });

  it('does not count time in which the thread waits for a processor', () => {
    let [now, used, reads] = [0, 0, 0];
    const limit = new RunLimit({ now: () => now, used: () => (reads++, used) });
    limit.begin(100);
    [now, used] = [5_000, 30];
    assert.equal(limit.isReached, false);
    now = 5_069;
    assert.equal(limit.isReached, false);
    // The processor time is read only when the limit may be reached.
    assert.equal(reads, 2);
    [now, used] = [5_070, 100];
    assert.equal(limit.isReached, true);
  });

  it('counts anew from each start', () => {
    let time = 0;
    const limit = new RunLimit({ now: () => time, used: () => time });
    limit.begin(100);
    time = 500;
    limit.begin(100);
    assert.equal(limit.isReached, false);
    time = 600;
    assert.equal(limit.isReached, true);
  });

  it('uses the processor time of this thread by default', () => {
    const limit = new RunLimit();
    limit.begin(1);
    while (!limit.isReached) Math.random();
    limit.begin(1e6);
    assert.equal(limit.isReached, false);
  });
});
