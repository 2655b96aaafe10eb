import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { HostSession } from '../../../../server/src/host-protocol.js';
import { RECENT_MS } from '../../../../server/src/pool/launch-demand.js';
import { MachineLoad } from '../../../../server/src/pool/machine-load.js';
import {
  CHECK_MS,
  MAX_DEFER_MS,
  RETRY_MS,
  MAX_AGE_MS,
  WarmBrowserPool,
} from '../../../../server/src/pool/warm-browser-pool.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';
import { FakeWarmHost as FakeHost } from '../../../fakes/fake-warm-host.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { settle } from '../../../fakes/passing-time.js';
import { quiet } from '../../../fakes/test-service.js';

const PLAIN = hostSessionOf('x', DEFAULT_SETTINGS, NO_SECRETS, 'token');
const KIOSK: HostSession = { ...PLAIN, kiosk: !PLAIN.kiosk };
const DARK: HostSession = { ...PLAIN, dark: !PLAIN.dark };

let clock: ManualClock;
let pools: WarmBrowserPool<FakeHost>[];
let hosts: FakeHost[];
let released: FakeHost[];
let machine: { calm: boolean; room: boolean; short: boolean };
beforeEach(() => {
  clock = new ManualClock();
  [pools, hosts, released] = [[], [], []];
  machine = { calm: true, room: true, short: false };
});

afterEach(() => Promise.all(pools.map((pool) => pool.close())));

function open(most: number): WarmBrowserPool<FakeHost> {
  const pool = new WarmBrowserPool<FakeHost>({
    most,
    launch: () => {
      const host = new FakeHost();
      hosts.push(host);
      return Promise.resolve(host);
    },
    released: (host) => {
      released.push(host);
      return Promise.resolve();
    },
    machine: { isCalm: () => machine.calm, hasRoom: () => machine.room, isShort: () => machine.short },
    clock,
    log: quiet,
  });
  pools.push(pool);
  return pool;
}

/** A pool for one browser, which it starts for this session. */
async function starting(session = PLAIN): Promise<WarmBrowserPool<FakeHost>> {
  const pool = open(1);
  pool.take(session);
  await pass(CHECK_MS);
  return pool;
}

/** Advances time in steps of one check. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += CHECK_MS) {
    clock.advance(Math.min(CHECK_MS, milliseconds - passed));
    await settle();
  }
}

/** A pool with one warm browser for this session. */
async function stocked(most: number, ...sessions: HostSession[]): Promise<WarmBrowserPool<FakeHost>> {
  const pool = open(most);
  for (const session of sessions) {
    pool.take(session);
    await pass(CHECK_MS);
    hosts.at(-1)?.ready();
    await settle();
  }
  return pool;
}

describe('a warm pool', () => {
  it('is empty before the first request', async () => {
    const pool = open(2);
    assert.equal(clock.pending, 0);
    assert.deepEqual(pool.take(PLAIN), { host: undefined, miss: 'unasked' });
    assert.equal(hosts.length, 0, 'not beside the session that asks');
    await pass(CHECK_MS);
    assert.equal(hosts.length, 1);
  });

  it('gives each browser to one session, once, and replaces it', async () => {
    const pool = await stocked(1, PLAIN);
    assert.equal(pool.ages.length, 1);
    const [first] = hosts;
    const given = pool.take({ ...PLAIN, startUrl: 'https://example.com' });
    assert.deepEqual(given, { host: first, miss: undefined });
    assert.deepEqual(pool.take(PLAIN), { host: undefined, miss: 'none_ready' });
    await pass(CHECK_MS);
    assert.equal(hosts.length, 2);
    await pool.close();
    assert.equal(first?.killed, false, 'it is its session’s');
    assert.equal(hosts[1]?.killed, true);
  });

  it('gives no browser to a session with another key', async () => {
    const pool = await stocked(1, PLAIN);
    assert.equal(pool.take(KIOSK).miss, 'unasked');
  });

  it('can give a browser that still starts, and the session waits for it', async () => {
    const pool = await starting();
    assert.deepEqual(pool.take(PLAIN), { host: hosts[0], miss: 'starting' });
    const [taken] = hosts;
    taken?.fail();
    await settle();
    assert.equal(taken?.killed, false, 'its host starts another one for the session');
  });

  it('starts browsers for the latest requests', async () => {
    await stocked(1, { ...PLAIN, width: 641, height: 481 });
    assert.deepEqual([hosts[0]?.session?.width, hosts[0]?.session?.height], [641, 481]);
  });

  it('replaces old browsers', async () => {
    await stocked(1, PLAIN);
    await pass(MAX_AGE_MS - 10_000);
    assert.equal(hosts.length, 1);
    await pass(20_000);
    assert.deepEqual([hosts.length, hosts[0]?.killed], [2, true]);
  });

  it('keeps no browser without recent requests, and then stops checking', async () => {
    const pool = await stocked(1, PLAIN);
    for (let age = 0; age < RECENT_MS + 60_000; age += 60_000) {
      await pass(60_000);
      hosts.at(-1)?.ready();
    }
    assert.equal(pool.ages.length, 0);
    assert.ok(hosts.every(({ killed }) => killed));
    assert.equal(clock.pending, 0);
  });

  it('has one browser of each recent key before a second one', async () => {
    await stocked(3, PLAIN, KIOSK);
    await pass(CHECK_MS);
    const kiosks = hosts.map(({ session }) => session?.kiosk);
    assert.deepEqual(kiosks, [PLAIN.kiosk, KIOSK.kiosk, KIOSK.kiosk]);
  });

  it('replaces a browser for a key that is requested twice, not for a single request', async () => {
    const pool = await stocked(1, PLAIN);
    pool.take(PLAIN);
    await pass(CHECK_MS);
    hosts[1]?.ready();
    pool.take(KIOSK);
    await pass(2 * CHECK_MS);
    assert.equal(hosts.length, 2);
    pool.take(KIOSK);
    await pass(2 * CHECK_MS);
    assert.deepEqual([hosts[1]?.killed, hosts[2]?.session?.kiosk], [true, KIOSK.kiosk]);
  });

  it('starts one browser at a time', async () => {
    const pool = open(3);
    for (const session of [PLAIN, KIOSK, DARK]) pool.take(session);
    await pass(5 * CHECK_MS);
    assert.equal(hosts.length, 1);
  });

  it('starts no browser without free places', async () => {
    const pool = open(0);
    pool.take(PLAIN);
    assert.equal(clock.pending, 0);
  });
});

describe('a warm browser starts when the machine is not busy', () => {
  it('after the first pictures of sessions', async () => {
    const pool = open(1);
    const shown = pool.sessionStarting();
    pool.take(PLAIN);
    await pass(2 * MAX_DEFER_MS);
    assert.equal(hosts.length, 0);
    shown();
    await pass(CHECK_MS);
    assert.equal(hosts.length, 1);
  });

  it('with idle processors, or after a while', async () => {
    machine.calm = false;
    const pool = open(1);
    pool.take(PLAIN);
    await pass(MAX_DEFER_MS);
    assert.equal(hosts.length, 0);
    await pass(CHECK_MS);
    assert.equal(hosts.length, 1);
  });

  it('with free memory, however long that takes', async () => {
    machine.room = false;
    const pool = open(1);
    pool.take(PLAIN);
    await pass(10 * MAX_DEFER_MS);
    assert.equal(hosts.length, 0);
  });

  it('and ends when memory is short', async () => {
    const pool = await stocked(1, PLAIN);
    [machine.short, machine.room] = [true, false];
    await pass(20 * CHECK_MS);
    assert.deepEqual([pool.ages.length, hosts.length, hosts[0]?.killed], [0, 1, true]);
  });

  it("according to the kernel's figures", () => {
    let counts = { busy: 0, passed: 0, memory: 1e12 };
    const load = new MachineLoad(() => counts);
    counts = { busy: 60, passed: 100, memory: 1e9 };
    assert.deepEqual([load.isCalm(), load.hasRoom(), load.isShort()], [true, false, false]);
    counts = { busy: 140, passed: 200, memory: 5e8 };
    assert.deepEqual([load.isCalm(), load.hasRoom(), load.isShort()], [false, false, true]);
    const real = new MachineLoad();
    assert.equal(typeof real.isCalm(), 'boolean');
  });
});

describe('a warm browser that ends', () => {
  it('is removed, and not replaced at once', async () => {
    const pool = await stocked(1, PLAIN);
    hosts[0]?.die();
    await settle();
    assert.deepEqual(pool.ages, []);
    await pass(RETRY_MS - CHECK_MS);
    assert.equal(hosts.length, 1);
    await pass(20 * CHECK_MS);
    assert.equal(hosts.length, 2);
  });

  it('is replaced at the next request', async () => {
    const pool = await stocked(1, PLAIN);
    hosts[0]?.die();
    await settle();
    assert.equal(pool.take(PLAIN).miss, 'none_ready');
    await pass(CHECK_MS);
    assert.equal(hosts.length, 2);
  });

  it('gives its place to a session that needs it', async () => {
    const pool = await stocked(1, PLAIN);
    assert.equal(await pool.makeRoom(), true);
    assert.deepEqual([hosts[0]?.killed, released], [true, [hosts[0]]]);
    assert.equal(await pool.makeRoom(), false);
  });

  it('before it was ready is removed, and retried later', async () => {
    await starting();
    hosts[0]?.fail();
    await settle();
    assert.equal(hosts[0]?.killed, true);
    await pass(RETRY_MS - 2 * CHECK_MS);
    assert.equal(hosts.length, 1);
    await pass(2 * CHECK_MS);
    assert.equal(hosts.length, 2);
  });

  it('with the pool, also during its start, is not followed by a new one', async () => {
    const pool = await starting();
    await pool.close();
    assert.equal(hosts[0]?.killed, true);
    pool.take(PLAIN);
    await pass(10 * CHECK_MS);
    assert.equal(hosts.length, 1);
    assert.equal(clock.pending, 0);
  });
});
