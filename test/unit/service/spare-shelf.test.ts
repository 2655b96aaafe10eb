import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { HostSession } from '../../../server/src/host-protocol.js';
import { LATELY_MS } from '../../../server/src/pool/launch-demand.js';
import { MachineLoad } from '../../../server/src/pool/machine-load.js';
import {
  LOOK_MS,
  PATIENCE_MS,
  RETRY_MS,
  SPARE_AGE_MS,
  SpareShelf,
} from '../../../server/src/pool/spare-shelf.js';
import { hostSessionOf } from '../../../server/src/sessions/settings/host-session.js';
import { DEFAULT_SETTINGS, NO_SECRETS } from '../../../server/src/sessions/settings/session-settings.js';
import { FakeSpareHost as FakeHost } from '../../fakes/fake-spare-host.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { settle } from '../../fakes/passing-time.js';
import { quiet } from '../../fakes/test-service.js';

const PLAIN = hostSessionOf('x', DEFAULT_SETTINGS, NO_SECRETS, 'token');
const KIOSK: HostSession = { ...PLAIN, kiosk: !PLAIN.kiosk };
const DARK: HostSession = { ...PLAIN, dark: !PLAIN.dark };

let clock: ManualClock;
let hosts: FakeHost[];
let released: FakeHost[];
let machine: { calm: boolean; room: boolean; short: boolean };
beforeEach(() => {
  clock = new ManualClock();
  hosts = [];
  released = [];
  machine = { calm: true, room: true, short: false };
});

function open(most: number): SpareShelf<FakeHost> {
  return new SpareShelf<FakeHost>({
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
}

/** Lets time pass in steps of a look. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += LOOK_MS) {
    clock.advance(Math.min(LOOK_MS, milliseconds - passed));
    await settle();
  }
}

/** A shelf with one browser ready for this. */
async function stocked(most: number, ...sessions: HostSession[]): Promise<SpareShelf<FakeHost>> {
  const shelf = open(most);
  for (const session of sessions) {
    shelf.take(session);
    await pass(LOOK_MS);
    hosts.at(-1)?.ready();
    await settle();
  }
  return shelf;
}

describe('a shelf of browsers', () => {
  it('has none before somebody asked', async () => {
    const shelf = open(2);
    assert.equal(clock.pending, 0);
    assert.deepEqual(shelf.take(PLAIN), { host: undefined, miss: 'unasked' });
    assert.equal(hosts.length, 0, 'not beside the session that asks');
    await pass(LOOK_MS);
    assert.equal(hosts.length, 1);
    await shelf.close();
  });

  it('gives each to one session, once, and replaces it', async () => {
    const shelf = await stocked(1, PLAIN);
    assert.equal(shelf.ages.length, 1);
    const [first] = hosts;
    assert.deepEqual(shelf.take({ ...PLAIN, startUrl: 'https://example.com' }), {
      host: first,
      miss: undefined,
    });
    assert.deepEqual(shelf.take(PLAIN), { host: undefined, miss: 'none_ready' });
    await pass(LOOK_MS);
    assert.equal(hosts.length, 2);
    await shelf.close();
    assert.equal(first?.killed, false, 'it is its session’s');
    assert.equal(hosts[1]?.killed, true);
  });

  it('gives none to a session of another key', async () => {
    const shelf = await stocked(1, PLAIN);
    assert.equal(shelf.take(KIOSK).miss, 'unasked');
    await shelf.close();
  });

  it('gives one that is still being started, which the session waits for', async () => {
    const shelf = open(1);
    shelf.take(PLAIN);
    await pass(LOOK_MS);
    assert.deepEqual(shelf.take(PLAIN), { host: hosts[0], miss: 'starting' });
    const [taken] = hosts;
    taken?.fail();
    await settle();
    assert.equal(taken?.killed, false, 'its host starts another one for the session');
    await shelf.close();
  });

  it('starts them as they were asked for last', async () => {
    const shelf = await stocked(1, { ...PLAIN, width: 641, height: 481 });
    assert.deepEqual([hosts[0]?.session?.width, hosts[0]?.session?.height], [641, 481]);
    await shelf.close();
  });

  it('replaces one by age', async () => {
    const shelf = await stocked(1, PLAIN);
    await pass(SPARE_AGE_MS - 10_000);
    assert.equal(hosts.length, 1);
    await pass(20_000);
    assert.deepEqual([hosts.length, hosts[0]?.killed], [2, true]);
    await shelf.close();
  });

  it('keeps none for what nobody asked for lately, and then looks no more', async () => {
    const shelf = await stocked(1, PLAIN);
    for (let age = 0; age < LATELY_MS + 60_000; age += 60_000) {
      await pass(60_000);
      hosts.at(-1)?.ready();
    }
    assert.equal(shelf.ages.length, 0);
    assert.ok(hosts.every(({ killed }) => killed));
    assert.equal(clock.pending, 0);
  });

  it('has one of each key, those asked for last, before it has a second', async () => {
    const shelf = await stocked(3, PLAIN, KIOSK);
    await pass(LOOK_MS);
    assert.deepEqual(
      hosts.map(({ session }) => session?.kiosk),
      [PLAIN.kiosk, KIOSK.kiosk, KIOSK.kiosk],
    );
    await shelf.close();
  });

  it('ends one for a key that is asked for twice meanwhile, not for a single ask', async () => {
    const shelf = await stocked(1, PLAIN);
    shelf.take(PLAIN);
    await pass(LOOK_MS);
    hosts[1]?.ready();
    shelf.take(KIOSK);
    await pass(2 * LOOK_MS);
    assert.equal(hosts.length, 2);
    shelf.take(KIOSK);
    await pass(2 * LOOK_MS);
    assert.deepEqual([hosts[1]?.killed, hosts[2]?.session?.kiosk], [true, KIOSK.kiosk]);
    await shelf.close();
  });

  it('starts one at a time', async () => {
    const shelf = open(3);
    for (const session of [PLAIN, KIOSK, DARK]) shelf.take(session);
    await pass(5 * LOOK_MS);
    assert.equal(hosts.length, 1);
    await shelf.close();
  });

  it('starts none with room for none', async () => {
    const shelf = open(0);
    shelf.take(PLAIN);
    assert.equal(clock.pending, 0);
    await shelf.close();
  });
});

describe('a browser that waits is started when the machine is calm', () => {
  it('after the first pictures of sessions', async () => {
    const shelf = open(1);
    const shown = shelf.begins();
    shelf.take(PLAIN);
    await pass(2 * PATIENCE_MS);
    assert.equal(hosts.length, 0);
    shown();
    await pass(LOOK_MS);
    assert.equal(hosts.length, 1);
    await shelf.close();
  });

  it('with processors to spare, or after a while', async () => {
    machine.calm = false;
    const shelf = open(1);
    shelf.take(PLAIN);
    await pass(PATIENCE_MS);
    assert.equal(hosts.length, 0);
    await pass(LOOK_MS);
    assert.equal(hosts.length, 1);
    await shelf.close();
  });

  it('with memory to spare, however long that takes', async () => {
    machine.room = false;
    const shelf = open(1);
    shelf.take(PLAIN);
    await pass(10 * PATIENCE_MS);
    assert.equal(hosts.length, 0);
    await shelf.close();
  });

  it('and ended when memory is short', async () => {
    const shelf = await stocked(1, PLAIN);
    [machine.short, machine.room] = [true, false];
    await pass(20 * LOOK_MS);
    assert.deepEqual([shelf.ages.length, hosts.length, hosts[0]?.killed], [0, 1, true]);
    await shelf.close();
  });

  it('as the kernel counts', () => {
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

describe('a browser that waits and ends', () => {
  it('is just gone, and not replaced at once', async () => {
    const shelf = await stocked(1, PLAIN);
    hosts[0]?.die();
    await settle();
    assert.deepEqual(shelf.ages, []);
    await pass(RETRY_MS - LOOK_MS);
    assert.equal(hosts.length, 1);
    await pass(20 * LOOK_MS);
    assert.equal(hosts.length, 2);
    await shelf.close();
  });

  it('is replaced when somebody asks', async () => {
    const shelf = await stocked(1, PLAIN);
    hosts[0]?.die();
    await settle();
    assert.equal(shelf.take(PLAIN).miss, 'none_ready');
    await pass(LOOK_MS);
    assert.equal(hosts.length, 2);
    await shelf.close();
  });

  it('gives its place to a session that needs it', async () => {
    const shelf = await stocked(1, PLAIN);
    assert.equal(await shelf.makeRoom(), true);
    assert.deepEqual([hosts[0]?.killed, released], [true, [hosts[0]]]);
    assert.equal(await shelf.makeRoom(), false);
    await shelf.close();
  });

  it('before it was ready is ended and tried again later', async () => {
    const shelf = open(1);
    shelf.take(PLAIN);
    await pass(LOOK_MS);
    hosts[0]?.fail();
    await settle();
    assert.equal(hosts[0]?.killed, true);
    await pass(RETRY_MS - 2 * LOOK_MS);
    assert.equal(hosts.length, 1);
    await pass(2 * LOOK_MS);
    assert.equal(hosts.length, 2);
    await shelf.close();
  });

  it('with the shelf, also one that is being started; nothing is started after', async () => {
    const shelf = open(2);
    shelf.take(PLAIN);
    await pass(LOOK_MS);
    await shelf.close();
    assert.equal(hosts[0]?.killed, true);
    shelf.take(PLAIN);
    await pass(10 * LOOK_MS);
    assert.equal(hosts.length, 1);
    assert.equal(clock.pending, 0);
  });
});
