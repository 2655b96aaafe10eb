import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  PlacementQueue,
  WAIT_MS,
  type Attempt,
} from '../../../server/src/cluster/placement/placement-queue.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { pass, settle } from '../../support/passing.js';

it('a create request is tried if the last one of its key was refused during an attempt', async () => {
  const clock = new ManualClock();
  const queue = new PlacementQueue(
    clock,
    () => 1,
    () => 0.5,
  );
  const open: ((answer: Attempt<string>) => void)[] = [];
  const attempt = () => new Promise<Attempt<string>>((resolve) => open.push(resolve));
  const answerAll = () => {
    for (const resolve of open.splice(0)) resolve({ room: false });
    return settle();
  };
  const first = queue.wait('key', attempt);
  await pass(clock, WAIT_MS - 1_000);
  await answerAll();
  await pass(clock, 500);
  assert.equal(open.length, 1, 'an attempt is under way');
  await pass(clock, 500);
  assert.equal(queue.length, 0, 'the first request is over');
  const second = queue.wait('key', () => Promise.resolve({ room: true, result: 'place' }));
  await answerAll();
  assert.equal(await first, undefined);
  await pass(clock, WAIT_MS);
  assert.equal(await second, 'place');
});

it('a queue that is closed refuses the waiting create requests at once', async () => {
  const clock = new ManualClock();
  const queue = new PlacementQueue(clock, () => 1);
  const waiting = [1, 2].map(() => queue.wait('key', () => Promise.resolve({ room: false })));
  queue.close();
  assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
  assert.equal(queue.length, 0);
  assert.equal(await queue.wait('key', () => Promise.resolve({ room: false })), undefined);
});
