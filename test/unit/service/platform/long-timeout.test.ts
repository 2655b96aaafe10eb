import assert from 'node:assert/strict';
import { it } from 'node:test';
import { longTimeout } from '../../../../server/src/platform/time/long-timeout.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const DAY_MS = 86_400_000;

it('a wait of months ends on time, although each timer waits at most a day', () => {
  const clock = new ManualClock();
  let runs = 0;
  longTimeout(clock, () => (runs += 1), 60.5 * DAY_MS);
  for (let day = 0; day < 60; day++) clock.advance(DAY_MS);
  assert.equal(runs, 0);
  clock.advance(DAY_MS / 2);
  assert.deepEqual([runs, clock.pending], [1, 0]);
});

it('a long wait can be cancelled after its first timer', () => {
  const clock = new ManualClock();
  const timer = longTimeout(clock, () => assert.fail('It was cancelled.'), 3 * DAY_MS);
  clock.advance(DAY_MS);
  timer.cancel();
  assert.equal(clock.pending, 0);
  clock.advance(3 * DAY_MS);
});
