import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { HostSession } from '../../../../server/src/host-protocol.js';
import { RECENT_MS } from '../../../../server/src/pool/launch-demand.js';
import { CHECK_MS, WarmBrowserPool } from '../../../../server/src/pool/warm-browser-pool.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';
import { FakeWarmHost } from '../../../fakes/fake-warm-host.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { settle } from '../../../fakes/passing-time.js';
import { quiet } from '../../../fakes/test-service.js';

const PLAIN = hostSessionOf('x', DEFAULT_SETTINGS, NO_SECRETS, 'token');
const KIOSK: HostSession = { ...PLAIN, kiosk: !PLAIN.kiosk };
const DARK: HostSession = { ...PLAIN, dark: !PLAIN.dark };

let clock: ManualClock;
let hosts: FakeWarmHost[];
let machine: { calm: boolean };
beforeEach(() => {
  clock = new ManualClock();
  hosts = [];
  machine = { calm: true };
});

function open(most: number): WarmBrowserPool<FakeWarmHost> {
  return new WarmBrowserPool<FakeWarmHost>({
    most,
    launch: () => {
      const host = new FakeWarmHost();
      hosts.push(host);
      return Promise.resolve(host);
    },
    released: () => Promise.resolve(),
    machine: { isCalm: () => machine.calm, hasRoom: () => true, isShort: () => false },
    clock,
    log: quiet,
  });
}

/** Advances time in steps of one check. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += CHECK_MS) {
    clock.advance(Math.min(CHECK_MS, milliseconds - passed));
    await settle();
  }
}

describe('a warm pool with expected sessions', () => {
  it('starts their browsers before any request, one after the other, also on a busy machine', async () => {
    const pool = open(2);
    machine.calm = false;
    pool.keepWarm([PLAIN, KIOSK]);
    await pass(1);
    assert.deepEqual(
      hosts.map(({ session }) => session?.kiosk),
      [PLAIN.kiosk],
    );
    hosts[0]?.ready();
    await settle();
    await pass(CHECK_MS);
    assert.deepEqual(
      hosts.map(({ session }) => session?.kiosk),
      [PLAIN.kiosk, KIOSK.kiosk],
    );
    hosts[1]?.ready();
    await settle();
    assert.deepEqual(pool.take(KIOSK), { host: hosts[1], miss: undefined });
    await pool.close();
  });

  it('keeps them without requests', async () => {
    const pool = open(1);
    pool.keepWarm([PLAIN]);
    for (let age = 0; age < RECENT_MS + 60_000; age += 60_000) {
      await pass(60_000);
      hosts.at(-1)?.ready();
    }
    await settle();
    assert.equal(pool.ages.length, 1);
    await pool.close();
  });

  it('gives their places to requested kinds of browsers', async () => {
    const pool = open(1);
    pool.keepWarm([PLAIN]);
    await pass(1);
    hosts[0]?.ready();
    assert.equal(pool.take(DARK).miss, 'unasked');
    await pass(2 * CHECK_MS);
    assert.deepEqual([hosts[0]?.killed, hosts[1]?.session?.dark], [true, DARK.dark]);
    assert.equal(pool.take(PLAIN).miss, 'none_ready', 'it was expected');
    await pool.close();
  });

  it('starts none without free places', async () => {
    const pool = open(0);
    pool.keepWarm([PLAIN]);
    await pass(CHECK_MS);
    assert.deepEqual([hosts.length, clock.pending], [0, 0]);
    await pool.close();
  });
});
