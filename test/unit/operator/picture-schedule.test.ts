import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import {
  IDLE_PACE_MS,
  IDLE_RESULTS,
  LONGEST_PICTURE_PAUSE_MS,
  MAX_REQUESTS,
  PICTURE_PACE_MS,
  PictureSchedule,
  type PictureResult,
} from '../../../demo/operator/sessions/picture-schedule.js';
import { ManualClock } from '../../fakes/manual-clock.js';

let clock: ManualClock;
let pending: { id: string; answer: (result: PictureResult) => void; fail: () => void }[];
let taken: string[];
let schedule: PictureSchedule;
beforeEach(() => {
  clock = new ManualClock();
  pending = [];
  taken = [];
  schedule = new PictureSchedule({
    take: (id) =>
      new Promise((answer, reject) => {
        taken.push(id);
        pending.push({ id, answer, fail: () => reject(new Error('broken')) });
      }),
    clock,
  });
});

/** Answers the oldest pending request. */
async function answered(result: PictureResult = 'taken'): Promise<void> {
  pending.shift()?.answer(result);
  await settled();
}

/** Returns the milliseconds until the next request. */
function pauseUntilNext(): number {
  const count = taken.length;
  for (let milliseconds = 0; milliseconds <= 10 * LONGEST_PICTURE_PAUSE_MS; milliseconds += 1_000) {
    if (taken.length > count) return milliseconds;
    clock.advance(1_000);
  }
  return Infinity;
}

describe('the pictures of sessions', () => {
  it('begin at once, and repeat some seconds after each response', async () => {
    schedule.want('a', true);
    assert.deepEqual(taken, ['a']);
    clock.advance(60_000);
    assert.deepEqual(taken, ['a'], 'one request of a session at a time');
    await answered();
    assert.equal(pauseUntilNext(), PICTURE_PACE_MS);
  });

  it('are requested a few at a time, in turn', async () => {
    for (const id of ['a', 'b', 'c', 'd']) schedule.want(id, true);
    assert.deepEqual(taken, ['a', 'b']);
    assert.equal(pending.length, MAX_REQUESTS);
    await answered();
    assert.deepEqual(taken, ['a', 'b', 'c']);
    await answered();
    await answered();
    await answered();
    clock.advance(PICTURE_PACE_MS);
    assert.deepEqual(taken, ['a', 'b', 'c', 'd', 'a', 'b']);
  });

  it('of sessions without one come before the others', async () => {
    schedule.want('a', true);
    await answered();
    schedule.pause();
    clock.advance(PICTURE_PACE_MS);
    schedule.want('b', true);
    schedule.resume();
    assert.deepEqual(taken, ['a', 'b', 'a']);
  });

  it('stop while a session is not on the screen, and keep its turn', async () => {
    schedule.want('a', true);
    await answered();
    schedule.want('a', false);
    assert.equal(pauseUntilNext(), Infinity);
    schedule.want('a', true);
    assert.equal(taken.length, 2, 'one that is due is requested at once');
    await answered();
    schedule.want('a', false);
    schedule.want('a', true);
    assert.equal(taken.length, 2, 'a recent one is not requested again');
    assert.equal(pauseUntilNext(), PICTURE_PACE_MS);
  });

  it('stop while the page is hidden', async () => {
    schedule.want('a', true);
    schedule.pause();
    await answered();
    assert.equal(clock.pending, 0);
    assert.equal(pauseUntilNext(), Infinity);
    schedule.resume();
    assert.equal(taken.length, 2);
  });

  it('become rare after errors, and frequent again after a success', async () => {
    schedule.want('a', true);
    const pauses = [];
    for (let times = 0; times < 6; times++) {
      await answered('failed');
      pauses.push(pauseUntilNext());
    }
    assert.deepEqual(pauses, [10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
    await answered();
    assert.equal(pauseUntilNext(), PICTURE_PACE_MS);
    pending.shift()?.fail();
    await settled();
    assert.equal(pauseUntilNext(), PICTURE_PACE_MS, 'an exception counts as an error');
  });

  it('of idle sessions become rare, until the picture changes', async () => {
    schedule.want('a', true);
    for (let times = 1; times < IDLE_RESULTS; times++) {
      await answered('idle');
      assert.equal(pauseUntilNext(), PICTURE_PACE_MS);
    }
    await answered('idle');
    assert.equal(pauseUntilNext(), IDLE_PACE_MS);
    await answered('taken');
    assert.equal(pauseUntilNext(), PICTURE_PACE_MS);
  });

  it('of idle sessions become frequent when a viewer joins', async () => {
    schedule.want('a', true);
    for (let times = 0; times < IDLE_RESULTS; times++) {
      await answered('idle');
      pauseUntilNext();
    }
    await answered('idle');
    schedule.hasten('a');
    assert.equal(pending.length, 1);
    await answered('idle');
    assert.equal(pauseUntilNext(), PICTURE_PACE_MS);
  });

  it('end with the session, also while a request is pending', async () => {
    for (const id of ['a', 'b', 'c']) schedule.want(id, true);
    schedule.forget('a');
    assert.deepEqual(taken, ['a', 'b'], 'a pending request still counts');
    await answered();
    assert.deepEqual(taken, ['a', 'b', 'c']);
    schedule.clear();
    await answered();
    await answered();
    assert.equal(pauseUntilNext(), Infinity);
    assert.equal(clock.pending, 0);
    schedule.hasten('a');
    assert.equal(taken.length, 3);
  });
});
