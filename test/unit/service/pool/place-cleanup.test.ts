import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { HostPlace } from '../../../../server/src/host-protocol.js';
import {
  FIRST_RETRY_MS,
  PlaceCleanup,
  RELEASE_TIMEOUT_MS,
} from '../../../../server/src/pool/place-cleanup.js';
import type { ProfileSave } from '../../../../server/src/sessions/ports.js';
import { workingCopyOf } from '../../../fakes/working-copy.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/test-service.js';

const PLACE: HostPlace = { directory: '/run/7', extensions: '' };

/** Places that behave as a test says, and a log that is recorded. */
function setUp() {
  const clock = new ManualClock();
  const told: string[] = [];
  const done: string[] = [];
  const places = {
    release: () => Promise.resolve(),
    processesEnded: () => Promise.resolve(),
    killProcesses: () => Promise.resolve(),
    abandon: () => void done.push('abandoned'),
  };
  const log = { ...quiet, error: (message: string) => void told.push(message) };
  const cleanup = new PlaceCleanup(places, clock, log);
  const save: ProfileSave = {
    workingCopy: workingCopyOf('profile'),
    run: async () => void done.push('saved'),
    failed: () => (done.push('not saved'), 'later'),
  };
  return { clock, told, done, places, cleanup, save };
}

/** Advances a clock to the next timer, which must be due exactly then. */
async function pass(clock: ManualClock, milliseconds: number): Promise<void> {
  assert.equal(clock.pending, 1);
  clock.advance(milliseconds - 1);
  await turn();
  assert.equal(clock.pending, 1, 'nothing is due earlier');
  clock.advance(1);
  await turn();
}

const failing = () => Promise.reject(new Error('a process does not end'));

describe('the cleanup of a place after a session', () => {
  it('is retried with growing delays, and each failure is logged', async () => {
    const { clock, told, done, places, cleanup } = setUp();
    places.release = failing;
    await cleanup.saveAndRelease(PLACE, null);
    for (const [failures, wait] of [1, 2, 4, 8].entries()) {
      assert.equal(told.length, failures + 1);
      if (wait === 8) places.release = async () => void done.push('free');
      await pass(clock, wait * FIRST_RETRY_MS);
    }
    assert.deepEqual(done, ['free']);
    assert.equal(clock.pending, 0);
  });

  it('waits a quarter of an hour at most between two attempts', async () => {
    const { clock, told, places, cleanup } = setUp();
    places.release = failing;
    await cleanup.saveAndRelease(PLACE, null);
    for (let failures = 1; failures < 20; failures++) {
      clock.advance(15 * 60_000);
      await turn();
      assert.equal(told.length, failures + 1);
    }
    await cleanup.close();
  });

  it('does not save the profile again after only the cleanup failed, because a newer profile may exist', async () => {
    const { clock, done, places, cleanup, save } = setUp();
    places.release = failing;
    await cleanup.saveAndRelease(PLACE, save);
    await pass(clock, FIRST_RETRY_MS);
    await pass(clock, 2 * FIRST_RETRY_MS);
    assert.deepEqual(done, ['saved']);
    await cleanup.close();
  });

  it('saves the profile soon after the storage is back, however long the pause is', async () => {
    const { clock, done, cleanup, save } = setUp();
    let attempts = 0;
    let away = true;
    save.run = async () => {
      attempts += 1;
      if (away) await failing();
      done.push('saved');
    };
    await cleanup.saveAndRelease(PLACE, save);
    for (const wait of [1, 2, 4]) await pass(clock, wait * FIRST_RETRY_MS);
    assert.equal(attempts, 4);
    cleanup.retrySoon();
    await turn();
    assert.equal(attempts, 4, 'a save that has just failed is not repeated at once');
    away = false;
    await pass(clock, FIRST_RETRY_MS);
    assert.equal(done.includes('saved'), true);
    assert.equal(clock.pending, 0);
    await cleanup.close();
  });

  it('is left to the next service if this one ends first', async () => {
    const { clock, done, places, cleanup } = setUp();
    places.release = failing;
    await cleanup.saveAndRelease(PLACE, null);
    await cleanup.close();
    assert.deepEqual(done, ['abandoned']);
    assert.equal(clock.pending, 0);
  });

  it('blocks nothing if it hangs, and the service can stop', async () => {
    const { clock, told, done, places, cleanup } = setUp();
    places.release = () => new Promise(() => undefined);
    const left = cleanup.saveAndRelease(PLACE, null);
    await pass(clock, RELEASE_TIMEOUT_MS);
    await left;
    assert.deepEqual(told, ['a place is still not clean']);
    await cleanup.close();
    assert.deepEqual(done, ['abandoned']);
  });

  it('frees the place even if it ends late', async () => {
    const { clock, done, places, cleanup } = setUp();
    let end: () => void = () => undefined;
    places.release = () => new Promise((resolve) => (end = resolve));
    const left = cleanup.saveAndRelease(PLACE, null);
    await pass(clock, RELEASE_TIMEOUT_MS);
    await left;
    end();
    await turn();
    await cleanup.close();
    assert.deepEqual(done, []);
    assert.equal(clock.pending, 0);
  });

  it('after a killed service is retried when the processes of the place cannot be listed', async () => {
    const { clock, done, places, cleanup, save } = setUp();
    places.processesEnded = () => Promise.reject(new Error('too many open files'));
    cleanup.recover(PLACE, save);
    await turn();
    assert.deepEqual(done, ['not saved']);
    places.processesEnded = () => Promise.resolve();
    await pass(clock, FIRST_RETRY_MS);
    assert.deepEqual(done, ['not saved', 'saved']);
    await cleanup.close();
  });
});
