import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PREPARE_TIMEOUT_MS } from '../../server/src/pool/host/host-preparation.js';
import { WARM_DELAY_MS } from '../../server/src/pool/host-pool.js';
import type { Places } from '../../server/src/pool/places.js';
import { processesOf } from '../../server/src/pool/processes.js';
import { CHECK_MS } from '../../server/src/pool/warm-browser-pool.js';
import type { ProfileTransfer } from '../../server/src/sessions/ports.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { RecordingListener } from '../fakes/recording-listener.js';
import { needsRoot, noProfile, ScriptedPool, session } from '../fakes/scripted-pool.js';

const pool = new ScriptedPool(1_762_000);
beforeEach(() => pool.makeRoot());
afterEach(async () => assert.deepEqual(await pool.close(), []));

describe('a warm host', () => {
  it('is launched after the session that took the last one is visible', needsRoot, async () => {
    const clock = new ManualClock();
    await pool.open({ warmHosts: 1, clock });
    while (processesOf(pool.uidBase ?? 0).length === 0) await turn();
    const listener = new RecordingListener();
    await pool.current.start(session(), noProfile, listener);
    await listener.started;
    assert.equal((await pool.left()).length, 1);
    clock.advance(WARM_DELAY_MS);
    while ((await pool.left()).length < 2) await turn();
  });
});

describe('a warm browser', () => {
  /** Starts a session, ends it, and waits until the pool replaces its warm browser. */
  async function serve(clock: ManualClock, one = session(), profile: ProfileTransfer = noProfile) {
    const listener = new RecordingListener();
    const host = await pool.current.start(one, profile, listener);
    const timings = await listener.started;
    await host.stop('request');
    await listener.ended;
    clock.advance(WARM_DELAY_MS);
    clock.advance(CHECK_MS);
    return timings;
  }

  async function stocked(clock: ManualClock, places?: Places): Promise<void> {
    await pool.open({ warmHosts: 0, clock, warmBrowsers: 1, places });
    await serve(clock);
    while (pool.current.warmBrowserAges.length === 0) await turn();
  }

  it('serves the next session with the same settings, and is replaced', async () => {
    const clock = new ManualClock();
    await stocked(clock);
    const { prepared, pid } = await serve(clock, session('about:stubborn-not'));
    assert.equal(prepared, 1);
    while (pool.current.warmBrowserAges.length === 0) await turn();
    const next = await serve(clock);
    assert.equal(next['prepared'], 1);
    assert.notEqual(next['pid'], pid);
    assert.deepEqual(pool.results, ['unasked', 'hit', 'hit']);
  });

  it('starts with a small share of the processor, and gets the usual one with its session', async () => {
    const clock = new ManualClock();
    await stocked(clock);
    assert.deepEqual(pool.shares, ['usual', 'waiting']);
    await serve(clock);
    assert.deepEqual(pool.shares.slice(0, 3), ['usual', 'waiting', 'usual']);
  });

  it('gets the usual share if its start takes long', async () => {
    const clock = new ManualClock();
    await pool.open({ warmHosts: 0, clock, warmBrowsers: 1 });
    await serve(clock, { ...session(), draw: true });
    while (pool.shares.length < 2) await turn();
    clock.advance(PREPARE_TIMEOUT_MS / 2);
    assert.deepEqual(pool.shares, ['usual', 'waiting', 'usual']);
  });

  it('serves no session with a profile, an extension or other settings', async () => {
    const clock = new ManualClock();
    await stocked(clock);
    const plain = session();
    const load = () => Promise.resolve();
    const cold = [
      await serve(clock, plain, { load, save: null }),
      await serve(clock, { ...plain, keepProfile: true }),
      await serve(clock, { ...plain, extension: {} }),
      await serve(clock, { ...plain, webgl: !plain.webgl }),
    ];
    assert.deepEqual(
      cold.map(({ prepared }) => prepared),
      [0, 0, 0, 0],
    );
    assert.deepEqual(pool.results, ['unasked', 'profile', 'profile', 'extension', 'unasked']);
  });

  it('that crashes is removed with its host', async () => {
    const clock = new ManualClock();
    await pool.open({ warmHosts: 0, clock, warmBrowsers: 1 });
    await serve(clock, { ...session(), dark: true });
    while ((await pool.left()).length === 0) await turn();
    while ((await pool.left()).length > 0) await turn();
    assert.deepEqual(pool.current.warmBrowserAges, []);
  });

  it('that never becomes ready is given up with its host', async () => {
    const clock = new ManualClock();
    await pool.open({ warmHosts: 0, clock, warmBrowsers: 1 });
    await serve(clock, { ...session(), draw: true });
    while ((await pool.left()).length === 0) await turn();
    // Each turn gives the host time to become ready. Only then does the pool check it.
    while ((await pool.left()).length > 0) {
      clock.advance(PREPARE_TIMEOUT_MS / 10);
      await turn();
    }
    assert.deepEqual(pool.current.warmBrowserAges, []);
  });

  it('gives its place to a session that finds no free place', async () => {
    const clock = new ManualClock();
    const places = await pool.openPlaces();
    await stocked(clock, places);
    const take = places.take.bind(places);
    places.take = async () => ((await pool.left()).length > 0 ? undefined : take());
    const other = { ...session(), kiosk: !session().kiosk };
    const { prepared } = await serve(clock, other);
    assert.equal(prepared, 0);
  });

  it('ends with the pool', async () => {
    await stocked(new ManualClock());
    await pool.current.close();
    assert.deepEqual(await pool.left(), []);
  });
});
