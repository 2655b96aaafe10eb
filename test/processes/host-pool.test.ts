import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FIRST_RETRY_MS } from '../../server/src/pool/place-cleanup.js';
import { SAVING_STOP_TIMEOUT_MS, STOP_TIMEOUT_MS } from '../../server/src/pool/host/host-process.js';
import { processesOf } from '../../server/src/pool/processes.js';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../server/src/platform/process/watchdog.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { RecordingListener } from '../fakes/recording-listener.js';
import { needsRoot, noProfile, ScriptedPool, session } from '../fakes/scripted-pool.js';

const pool = new ScriptedPool(1_764_000);
beforeEach(() => pool.makeRoot());
afterEach(async () => assert.deepEqual(await pool.close(), []));

/** A connected pair of sockets. */
async function socketPair(): Promise<{ near: Socket; far: Socket; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  return { near, far, close: () => void server.close() };
}

/** Lets this process open no more descriptors until the returned function is called. */
async function withoutDescriptors(): Promise<() => Promise<void>> {
  const script = `
    before=$(prlimit --pid=$0 --nofile --output=SOFT --noheadings)
    prlimit --pid=$0 --nofile=1: && echo limited
    read -r _
    prlimit --pid=$0 --nofile=$((before)):`;
  const helper = spawn('sh', ['-c', script, String(process.pid)], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(helper.stdout, 'data');
  return async () => {
    helper.stdin.end('\n');
    await once(helper, 'exit');
  };
}

for (const warmHosts of [0, 1]) {
  describe(`a pool with ${warmHosts} warm hosts`, () => {
    it('runs a session in its own process and cleans up after it', async () => {
      await pool.open({ warmHosts });
      const listener = new RecordingListener();
      const host = await pool.current.start(session(), noProfile, listener);
      const timings = await listener.started;
      assert.notEqual(timings['pid'], process.pid);
      if (pool.uidBase !== undefined) assert.ok((timings['uid'] ?? 0) >= pool.uidBase);
      await host.stop('request');
      assert.deepEqual(await listener.ended, { reason: 'request', message: 'It ended.' });
    });
  });
}

describe('a pool on a machine without free descriptors or processes', () => {
  it('reports the shortage, and accepts sessions again afterwards', async () => {
    const places = await pool.openPlaces();
    const take = places.take.bind(places);
    places.take = () => Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
    await pool.open({ warmHosts: 0, places });
    const starting = pool.current.start(session(), noProfile, new RecordingListener());
    await assert.rejects(starting, { code: 'err_session_failed', message: /descriptors or processes/ });
    places.take = take;
    const host = await pool.current.start(session(), noProfile, new RecordingListener());
    await host.stop('request');
  });

  it('frees the place of a host that could not be started', async () => {
    const clock = new ManualClock();
    const places = await pool.openPlaces();
    const take = places.take.bind(places);
    let restore = () => Promise.resolve();
    places.take = async () => {
      const place = await take();
      restore = await withoutDescriptors();
      return place;
    };
    await pool.open({ warmHosts: 0, places, clock });
    const starting = pool.current.start(session(), noProfile, new RecordingListener());
    const refused = assert.rejects(starting, {
      code: 'err_session_failed',
      message: /descriptors or processes/,
    });
    await refused.finally(() => restore());
    // The files of the place cannot be removed without descriptors either.
    clock.advance(FIRST_RETRY_MS);
    while ((await pool.left()).length > 0) await turn();
  });
});

describe('a session host', () => {
  it('knows the screen of its session while it loads', async () => {
    await pool.open({ warmHosts: 0 });
    const listener = new RecordingListener();
    await pool.current.start({ ...session(), width: 801, fps: 12 }, noProfile, listener);
    const { width, fps } = await listener.started;
    assert.deepEqual({ width, fps }, { width: 801, fps: 12 });
  });

  it('receives the socket of a viewer itself', async () => {
    await pool.open({ warmHosts: 0 });
    const listener = new RecordingListener();
    const host = await pool.current.start(session(), noProfile, listener);
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
    await pool.open({ warmHosts: 0 });
    const listener = new RecordingListener();
    await pool.current.start(session('about:exit'), noProfile, listener);
    const { reason, message } = await listener.ended;
    assert.equal(reason, 'crashed');
    assert.match(message, /exit code 7/);
  });

  it('can end by itself with its own reason', async () => {
    await pool.open({ warmHosts: 0 });
    const listener = new RecordingListener();
    const host = await pool.current.start(session('about:ended'), noProfile, listener);
    assert.equal((await listener.ended).reason, 'crashed');
    await host.stop('request');
  });

  it('is killed if it ignores "stop"', async () => {
    const clock = new ManualClock();
    await pool.open({ warmHosts: 0, clock });
    const listener = new RecordingListener();
    const host = await pool.current.start(session('about:stubborn'), noProfile, listener);
    await listener.started;
    const stopped = host.stop('request');
    clock.advance(STOP_TIMEOUT_MS);
    await stopped;
    assert.equal((await listener.ended).reason, 'request');
  });

  it('has more time to end if its profile is kept', async () => {
    const clock = new ManualClock();
    await pool.open({ warmHosts: 0, clock });
    const listener = new RecordingListener();
    const stubborn = { ...session('about:stubborn'), keepProfile: true };
    const host = await pool.current.start(stubborn, noProfile, listener);
    await listener.started;
    const stopped = host.stop('request');
    clock.advance(STOP_TIMEOUT_MS);
    // The host answers, so it was not killed.
    const { near, far, close } = await socketPair();
    const rights = { ip: '', auth: 'granted', controlDisabled: false, roles: [], tiedRoles: [] } as const;
    host.attach(
      { userId: 'u', request: { method: 'GET', url: '/', headers: {} }, head: '', ...rights },
      near,
    );
    let answer = '';
    for await (const chunk of far) answer += String(chunk);
    assert.match(answer, /"userId":"u"/);
    close();
    clock.advance(SAVING_STOP_TIMEOUT_MS - STOP_TIMEOUT_MS);
    await stopped;
    assert.equal((await listener.ended).reason, 'request');
  });

  it('that stops responding is ended with that reason', async () => {
    const clock = new ManualClock();
    await pool.open({ warmHosts: 0, clock });
    const listener = new RecordingListener();
    await pool.current.start(session('about:deaf'), noProfile, listener);
    await listener.started;
    for (let look = 0; look <= MISSED_LOOKS; look++) {
      clock.advance(WATCH_INTERVAL_MS);
      await turn();
    }
    const message = 'The session host did not answer for 12 s.';
    assert.deepEqual(await listener.ended, { reason: 'crashed', message });
  });

  it('leaves no process behind', needsRoot, async () => {
    await pool.open({ warmHosts: 0 });
    const listener = new RecordingListener();
    const host = await pool.current.start(session('about:litter'), noProfile, listener);
    const { uid = 0 } = await listener.started;
    assert.equal(processesOf(uid).length, 2);
    await host.stop('request');
    await listener.ended;
    assert.deepEqual(processesOf(uid), []);
  });
});

describe('closing a pool', () => {
  it('ends the sessions and the warm host', async () => {
    await pool.open({ warmHosts: 2 });
    const listener = new RecordingListener();
    await pool.current.start(session(), noProfile, listener);
    await listener.started;
    await pool.current.close();
    assert.equal((await listener.ended).reason, 'ended');
    await assert.rejects(pool.current.start(session(), noProfile, listener), { code: 'err_unavailable' });
  });
});
