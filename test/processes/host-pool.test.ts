import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { HostPlace, HostSession } from '../../server/src/host-protocol.js';
import { loadConfig } from '../../server/src/config/load-config.js';
import { SessionGroup } from '../../server/src/pool/groups/session-group.js';
import { ForkedHostPool, WARM_DELAY_MS } from '../../server/src/pool/host-pool.js';
import { CHECK_MS } from '../../server/src/pool/warm-browser-pool.js';
import { FIRST_RETRY_MS } from '../../server/src/pool/place-cleanup.js';
import { PREPARE_TIMEOUT_MS } from '../../server/src/pool/host/host-preparation.js';
import { STOP_TIMEOUT_MS } from '../../server/src/pool/host/host-process.js';
import { Places } from '../../server/src/pool/places.js';
import { processesOf } from '../../server/src/pool/processes.js';
import type { ProfileTransfer } from '../../server/src/sessions/ports.js';
import type { Clock } from '../../server/src/platform/time/clock.js';
import { hostSessionOf } from '../../server/src/sessions/settings/host-session.js';
import { DEFAULT_SETTINGS } from '../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../server/src/sessions/settings/session-settings.js';
import { systemClock } from '../../server/src/platform/time/clock.js';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../server/src/platform/process/watchdog.js';
import type { ProfileWorkingCopy } from '../../server/src/sessions/profiles/profile-claims.js';
import { workingCopyOf } from '../fakes/working-copy.js';
import { placesIn } from '../fakes/places-in.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { RecordingListener } from '../fakes/recording-listener.js';
import { quiet } from '../fakes/test-service.js';

const entry = fileURLToPath(new URL('../fakes/scripted-host.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** A range far from the service's own, so that a running service causes no conflict. */
const UID_BASE = isRoot ? 1_764_000 : undefined;

const { limits } = loadConfig({ API_KEYS: 'key' });
/** The limits of a machine without control groups. */
const groups = { create: () => new RecordingGroup(new Map(), limits.cpuWeight) };

/** The shares of the processor that the sessions' groups were given. */
let shares: string[] = [];
class RecordingGroup extends SessionGroup {
  override setShare(share: 'usual' | 'busy' | 'waiting'): void {
    shares.push(share);
  }
}

let root: string;
let pool: ForkedHostPool;
/** Reports of sessions about warm browsers. */
let results: string[];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cloud-browser-pool-'));
  await chmod(root, 0o711);
});
afterEach(async () => {
  await pool.close();
  assert.deepEqual(await placesIn(root), []);
  await rm(root, { recursive: true });
});

async function openPool(
  warmHosts: number,
  clock: Clock = systemClock,
  warmBrowsers = 0,
  places?: Places,
): Promise<ForkedHostPool> {
  places ??= await Places.open(root, UID_BASE, '/state');
  const onWarmBrowser = (result: string) => void results.push(result);
  const machine = { isCalm: () => true, hasRoom: () => true, isShort: () => false };
  results = [];
  shares = [];
  const environment = { PATH: process.env['PATH'] ?? '' };
  const egress = { open: () => () => undefined };
  const parts = {
    entry,
    environment,
    egress,
    limits,
    groups,
    clock,
    log: quiet,
    places,
    warmHosts,
    warmBrowsers,
    onWarmBrowser,
    machine,
  };
  pool = new ForkedHostPool(parts);
  return pool;
}

function session(startUrl = 'about:blank'): HostSession {
  return { ...hostSessionOf('x', DEFAULT_SETTINGS, NO_SECRETS, 'admin-token'), startUrl };
}

const noProfile = { load: null, save: null };

/** A connected pair of sockets. */
async function socketPair(): Promise<{ near: Socket; far: Socket; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  return { near, far, close: () => void server.close() };
}

for (const warmHosts of [0, 1]) {
  describe(`a pool with ${warmHosts} warm hosts`, () => {
    it('runs a session in its own process and cleans up after it', async () => {
      await openPool(warmHosts);
      const listener = new RecordingListener();
      const host = await pool.start(session(), noProfile, listener);
      const timings = await listener.started;
      assert.notEqual(timings['pid'], process.pid);
      if (UID_BASE !== undefined) assert.ok((timings['uid'] ?? 0) >= UID_BASE);
      await host.stop('request');
      assert.deepEqual(await listener.ended, { reason: 'request', message: 'It ended.' });
    });
  });
}

describe('a pool on a machine without free descriptors or processes', () => {
  it('reports the shortage, and accepts sessions again afterwards', async () => {
    const places = await Places.open(root, UID_BASE, root);
    const take = places.take.bind(places);
    places.take = () => Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
    const environment = { PATH: process.env['PATH'] ?? '' };
    const egress = { open: () => () => undefined };
    const parts = {
      entry,
      environment,
      egress,
      limits,
      groups,
      clock: systemClock,
      log: quiet,
      places,
      warmHosts: 0,
      warmBrowsers: 0,
    };
    pool = new ForkedHostPool(parts);
    const starting = pool.start(session(), noProfile, new RecordingListener());
    await assert.rejects(starting, { code: 'err_session_failed', message: /descriptors or processes/ });
    places.take = take;
    const host = await pool.start(session(), noProfile, new RecordingListener());
    await host.stop('request');
  });
});

describe('a session host', () => {
  it('knows the screen of its session while it loads', async () => {
    await openPool(0);
    const listener = new RecordingListener();
    await pool.start({ ...session(), width: 801, fps: 12 }, noProfile, listener);
    const { width, fps } = await listener.started;
    assert.deepEqual({ width, fps }, { width: 801, fps: 12 });
  });

  it('receives the socket of a viewer itself', async () => {
    await openPool(0);
    const listener = new RecordingListener();
    const host = await pool.start(session(), noProfile, listener);
    const { near, far, close } = await socketPair();
    const rights = { ip: '', auth: 'granted', controlDisabled: false, roles: [], tiedRoles: [] } as const;
    const viewer = { userId: 'u', request: { method: 'GET', url: '/', headers: {} }, head: '', ...rights };
    host.attach(viewer, near);
    let answer = '';
    for await (const chunk of far) answer += String(chunk);
    const { pid, viewer: received } = JSON.parse(answer) as { pid: number; viewer: unknown };
    assert.equal(pid, (await listener.started)['pid']);
    assert.deepEqual(received, viewer);
    assert.equal(await listener.viewers, 1);
    close();
  });

  it('counts as crashed if it exits without a message', async () => {
    await openPool(0);
    const listener = new RecordingListener();
    await pool.start(session('about:exit'), noProfile, listener);
    const { reason, message } = await listener.ended;
    assert.equal(reason, 'crashed');
    assert.match(message, /exit code 7/);
  });

  it('can end by itself with its own reason', async () => {
    await openPool(0);
    const listener = new RecordingListener();
    const host = await pool.start(session('about:ended'), noProfile, listener);
    assert.equal((await listener.ended).reason, 'crashed');
    await host.stop('request');
  });

  it('is killed if it ignores "stop"', async () => {
    const clock = new ManualClock();
    await openPool(0, clock);
    const listener = new RecordingListener();
    const host = await pool.start(session('about:stubborn'), noProfile, listener);
    await listener.started;
    const stopped = host.stop('request');
    clock.advance(STOP_TIMEOUT_MS);
    await stopped;
    assert.equal((await listener.ended).reason, 'request');
  });

  it('that stops responding is ended with that reason', async () => {
    const clock = new ManualClock();
    await openPool(0, clock);
    const listener = new RecordingListener();
    await pool.start(session('about:deaf'), noProfile, listener);
    await listener.started;
    for (let look = 0; look <= MISSED_LOOKS; look++) {
      clock.advance(WATCH_INTERVAL_MS);
      await turn();
    }
    const message = 'The session host did not answer for 12 s.';
    assert.deepEqual(await listener.ended, { reason: 'crashed', message });
  });

  it('leaves no process behind', { skip: !isRoot && 'needs user ids of its own' }, async () => {
    await openPool(0);
    const listener = new RecordingListener();
    const host = await pool.start(session('about:litter'), noProfile, listener);
    const { uid = 0 } = await listener.started;
    assert.equal(processesOf(uid).length, 2);
    await host.stop('request');
    await listener.ended;
    assert.deepEqual(processesOf(uid), []);
  });
});

describe('a profile', () => {
  const needsRoot = { skip: !isRoot && 'needs user ids of its own' };

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
    await openPool(0);
    const listener = new RecordingListener();
    let left: number[] | undefined;
    const run = async ({ uid = 0 }: HostPlace) => {
      left = processesOf(uid);
    };
    await pool.start(session('about:litter'), { load: null, save: { ...saving(), run } }, listener);
    const { pid = 0 } = await listener.started;
    process.kill(pid, 'SIGKILL');
    await listener.ended;
    assert.deepEqual(left, []);
  });

  // Proves: profiles that cannot be saved are reported, kept and tried again
  it('that cannot be saved stays, and is retried with growing delays', async () => {
    const clock = new ManualClock();
    await openPool(0, clock);
    const listener = new RecordingListener();
    let failure: Error | undefined = new Error('no space');
    const save = saving(() => failure);
    const host = await pool.start(session(), { load: null, save }, listener);
    await listener.started;
    await host.stop('request');
    await listener.ended;
    assert.equal(save.places.length, 1);
    for (const [tries, wait] of [1, 2, 4, 8].entries()) {
      while (clock.pending === 0) await turn();
      if (wait === 8) failure = undefined;
      clock.advance(wait * FIRST_RETRY_MS - 1);
      assert.equal(save.places.length, tries + 1);
      assert.equal((await placesIn(root)).length, 2, 'the directory and its note');
      clock.advance(1);
      while (save.places.length === tries + 1) await turn();
    }
    while ((await placesIn(root)).length > 0) await turn();
  });

  it('that can never be saved is not kept', async () => {
    await openPool(0);
    const listener = new RecordingListener();
    const save = saving(() => new Error('too large'), 'never');
    const host = await pool.start(session(), { load: null, save }, listener);
    await host.stop('request');
    await listener.ended;
    assert.deepEqual(await placesIn(root), []);
  });

  it('that was not saved when the service ended is saved by the next service', async () => {
    await openPool(0);
    const failing = saving(() => new Error('no space'));
    await pool.start(session(), { load: null, save: failing }, new RecordingListener());
    await pool.close();
    assert.equal((await placesIn(root)).length, 2);

    await openPool(0);
    const save = saving();
    const lefts: ProfileWorkingCopy[] = [];
    pool.recover((left) => {
      lefts.push(left);
      return save;
    });
    while ((await placesIn(root)).length > 0) await turn();
    assert.deepEqual(lefts, [workingCopyOf('profile')]);
    assert.deepEqual(
      save.places.map(({ directory, uid }) => [directory, uid]),
      failing.places.map(({ directory, uid }) => [directory, uid]),
    );
  });

  it('is not saved if its session never began, for example after an interrupted load', async () => {
    await openPool(0);
    const load = () => Promise.reject(new Error('cut off'));
    const save = saving();
    await assert.rejects(pool.start(session(), { load, save }, new RecordingListener()), /cut off/);
    assert.equal(save.places.length, 0);
    await pool.close();
    assert.deepEqual(await placesIn(root), []);
  });
});

describe('a warm host', () => {
  const needsRoot = { skip: !isRoot && 'needs user ids of its own' };

  it('is launched after the session that took the last one is visible', needsRoot, async () => {
    const clock = new ManualClock();
    await openPool(1, clock);
    while (processesOf(UID_BASE ?? 0).length === 0) await turn();
    const listener = new RecordingListener();
    await pool.start(session(), noProfile, listener);
    await listener.started;
    assert.equal((await placesIn(root)).length, 1);
    clock.advance(WARM_DELAY_MS);
    while ((await placesIn(root)).length < 2) await turn();
  });
});

describe('a warm browser', () => {
  /** Starts a session, ends it, and waits until the pool replaces its warm browser. */
  async function serve(clock: ManualClock, one = session(), profile: ProfileTransfer = noProfile) {
    const listener = new RecordingListener();
    const host = await pool.start(one, profile, listener);
    const timings = await listener.started;
    await host.stop('request');
    await listener.ended;
    clock.advance(WARM_DELAY_MS);
    clock.advance(CHECK_MS);
    return timings;
  }

  async function stocked(clock: ManualClock, places?: Places): Promise<void> {
    await openPool(0, clock, 1, places);
    await serve(clock);
    while (pool.warmBrowserAges.length === 0) await turn();
  }

  it('serves the next session with the same settings, and is replaced', async () => {
    const clock = new ManualClock();
    await stocked(clock);
    const { prepared, pid } = await serve(clock, session('about:stubborn-not'));
    assert.equal(prepared, 1);
    while (pool.warmBrowserAges.length === 0) await turn();
    const next = await serve(clock);
    assert.equal(next['prepared'], 1);
    assert.notEqual(next['pid'], pid);
    assert.deepEqual(results, ['unasked', 'hit', 'hit']);
  });

  it('starts with a small share of the processor, and gets the usual one with its session', async () => {
    const clock = new ManualClock();
    await stocked(clock);
    assert.deepEqual(shares, ['usual', 'waiting']);
    await serve(clock);
    assert.deepEqual(shares.slice(0, 3), ['usual', 'waiting', 'usual']);
  });

  it('gets the usual share if its start takes long', async () => {
    const clock = new ManualClock();
    await openPool(0, clock, 1);
    await serve(clock, { ...session(), draw: true });
    while (shares.length < 2) await turn();
    clock.advance(PREPARE_TIMEOUT_MS / 2);
    assert.deepEqual(shares, ['usual', 'waiting', 'usual']);
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
    assert.deepEqual(results, ['unasked', 'profile', 'profile', 'extension', 'unasked']);
  });

  it('that crashes is removed with its host', async () => {
    const clock = new ManualClock();
    await openPool(0, clock, 1);
    await serve(clock, { ...session(), dark: true });
    while ((await placesIn(root)).length === 0) await turn();
    while ((await placesIn(root)).length > 0) await turn();
    assert.deepEqual(pool.warmBrowserAges, []);
  });

  it('that never becomes ready is given up with its host', async () => {
    const clock = new ManualClock();
    await openPool(0, clock, 1);
    await serve(clock, { ...session(), draw: true });
    while ((await placesIn(root)).length === 0) await turn();
    // Each turn gives the host time to become ready. Only then does the pool check it.
    while ((await placesIn(root)).length > 0) {
      clock.advance(PREPARE_TIMEOUT_MS / 10);
      await turn();
    }
    assert.deepEqual(pool.warmBrowserAges, []);
  });

  it('gives its place to a session that finds no free place', async () => {
    const clock = new ManualClock();
    const places = await Places.open(root, UID_BASE, '/state');
    await stocked(clock, places);
    const take = places.take.bind(places);
    places.take = async () => ((await placesIn(root)).length > 0 ? undefined : take());
    const other = { ...session(), kiosk: !session().kiosk };
    const { prepared } = await serve(clock, other);
    assert.equal(prepared, 0);
  });

  it('ends with the pool', async () => {
    await stocked(new ManualClock());
    await pool.close();
    assert.deepEqual(await placesIn(root), []);
  });
});

describe('closing a pool', () => {
  it('ends the sessions and the warm host', async () => {
    await openPool(2);
    const listener = new RecordingListener();
    await pool.start(session(), noProfile, listener);
    await listener.started;
    await pool.close();
    assert.equal((await listener.ended).reason, 'ended');
    await assert.rejects(pool.start(session(), noProfile, listener), { code: 'err_unavailable' });
  });
});
