import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { HostPlace } from '../../server/src/host-protocol.js';
import { FIRST_RETRY_MS } from '../../server/src/pool/place-cleanup.js';
import { processesNaming, processesOf } from '../../server/src/pool/processes.js';
import type { ProfileWorkingCopy } from '../../server/src/sessions/profiles/profile-claims.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { RecordingListener } from '../fakes/recording-listener.js';
import { needsRoot, ScriptedPool, session } from '../fakes/scripted-pool.js';
import { workingCopyOf } from '../fakes/working-copy.js';

const pool = new ScriptedPool(1_763_000);
beforeEach(() => pool.makeRoot());
afterEach(async () => assert.deepEqual(await pool.close(), []));

describe('a profile', () => {
  /** Saves profiles as the test says, and records the places. */
  function saving(failure: () => Error | undefined = () => undefined, failed: 'later' | 'never' = 'later') {
    const places: HostPlace[] = [];
    const run = async (place: HostPlace) => {
      places.push(place);
      const error = failure();
      if (error) throw error;
    };
    return { places, workingCopy: workingCopyOf('profile'), run, failed: () => failed };
  }

  it('is saved after the last process of its session has ended', needsRoot, async () => {
    await pool.open({ warmHosts: 0 });
    const listener = new RecordingListener();
    let left: number[] | undefined;
    const run = async ({ uid = 0 }: HostPlace) => {
      left = processesOf(uid);
    };
    await pool.current.start(session('about:litter'), { load: null, save: { ...saving(), run } }, listener);
    const { pid = 0 } = await listener.started;
    process.kill(pid, 'SIGKILL');
    await listener.ended;
    assert.deepEqual(left, []);
  });

  // Proves: profiles that cannot be saved are reported, kept and tried again
  it('that cannot be saved stays, and is retried with growing delays', async () => {
    const clock = new ManualClock();
    await pool.open({ warmHosts: 0, clock });
    const listener = new RecordingListener();
    let failure: Error | undefined = new Error('no space');
    const save = saving(() => failure);
    const host = await pool.current.start(session(), { load: null, save }, listener);
    await listener.started;
    await host.stop('request');
    await listener.ended;
    assert.equal(save.places.length, 1);
    for (const [tries, wait] of [1, 2, 4, 8].entries()) {
      while (clock.pending === 0) await turn();
      if (wait === 8) failure = undefined;
      clock.advance(wait * FIRST_RETRY_MS - 1);
      assert.equal(save.places.length, tries + 1);
      assert.equal((await pool.left()).length, 2, 'the directory and its note');
      clock.advance(1);
      while (save.places.length === tries + 1) await turn();
    }
    while ((await pool.left()).length > 0) await turn();
  });

  it('that can never be saved is not kept', async () => {
    await pool.open({ warmHosts: 0 });
    const listener = new RecordingListener();
    const save = saving(() => new Error('too large'), 'never');
    const host = await pool.current.start(session(), { load: null, save }, listener);
    await host.stop('request');
    await listener.ended;
    assert.deepEqual(await pool.left(), []);
  });

  it('that was not saved when the service ended is saved by the next service', async () => {
    await pool.open({ warmHosts: 0 });
    const failing = saving(() => new Error('no space'));
    await pool.current.start(session(), { load: null, save: failing }, new RecordingListener());
    await pool.current.close();
    assert.equal((await pool.left()).length, 2);

    await pool.open({ warmHosts: 0 });
    const save = saving();
    const lefts: ProfileWorkingCopy[] = [];
    pool.current.recover((left) => {
      lefts.push(left);
      return save;
    });
    while ((await pool.left()).length > 0) await turn();
    assert.deepEqual(lefts, [workingCopyOf('profile')]);
    assert.deepEqual(
      save.places.map(({ directory, uid }) => [directory, uid]),
      failing.places.map(({ directory, uid }) => [directory, uid]),
    );
  });

  it('is not saved if its session never began, for example after an interrupted load', async () => {
    await pool.open({ warmHosts: 0 });
    const load = () => Promise.reject(new Error('cut off'));
    const save = saving();
    await assert.rejects(pool.current.start(session(), { load, save }, new RecordingListener()), /cut off/);
    assert.equal(save.places.length, 0);
    await pool.current.close();
    assert.deepEqual(await pool.left(), []);
  });

  it('keeps its place until it is loaded, although the host dies during the load', async () => {
    const places = await pool.openPlaces();
    const steps: string[] = [];
    const release = places.release.bind(places);
    places.release = (place) => {
      steps.push('released');
      return release(place);
    };
    await pool.open({ warmHosts: 0, places });
    const load = async ({ directory }: HostPlace) => {
      const [host = 0] = processesNaming(directory);
      process.kill(host, 'SIGKILL');
      while (exists(host)) await turn();
      await turn();
      steps.push('loaded');
    };
    const save = { ...saving(), run: async () => void steps.push('saved') };
    const listener = new RecordingListener();
    await pool.current.start(session(), { load, save }, listener);
    assert.equal((await listener.ended).reason, 'crashed');
    assert.deepEqual(steps, ['loaded', 'saved', 'released']);
  });
});

/** True until the parent of a process has collected it. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
