import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { watchForSilence } from '../../../server/src/cluster/peers/silent-node.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { pass } from '../../support/passing.js';

let clock: ManualClock;
let isLate: boolean;
let answers: boolean;
let found: number;
let stop: () => void;
beforeEach(() => {
  clock = new ManualClock();
  [isLate, answers, found] = [true, false, 0];
  stop = watchForSilence(
    clock,
    {
      isLate: async () => isLate,
      answers: () => (answers ? Promise.resolve() : Promise.reject(new Error('silent'))),
    },
    () => found++,
  );
});

describe('a request to another node', () => {
  it('is given up once, when the node is late for some seconds and does not answer', async () => {
    await pass(clock, 2_500);
    assert.equal(found, 0);
    await pass(clock, 20_000);
    assert.equal(found, 1);
    assert.equal(clock.pending, 0);
  });

  it('goes on while the node is not late, or answers', async () => {
    isLate = false;
    await pass(clock, 10_000);
    [isLate, answers] = [true, true];
    await pass(clock, 10_000);
    assert.equal(found, 0);
    answers = false;
    await pass(clock, 5_000);
    assert.equal(found, 1);
  });

  it('is not watched any more after its end', async () => {
    stop();
    await pass(clock, 10_000);
    assert.deepEqual([found, clock.pending], [0, 0]);
  });
});
