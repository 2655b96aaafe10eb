import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../../../server/src/service-error.js';
import { ENDING_WAIT_MS } from '../../../../server/src/sessions/creation/session-creation.js';
import { SessionService } from '../../../../server/src/sessions/session-service.js';
import {
  LONGEST_PAUSE_MS,
  PROOF_MS,
  StartHealth,
  TRIAL_MS,
  TRIAL_PAUSE_MS,
  type FailedStage,
} from '../../../../server/src/sessions/placement/start-health.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { fakeServiceParts, nobody, quiet, type FakeServiceParts } from '../../../fakes/service-parts.js';

/** A trial that a test settles. */
interface Trial {
  succeed(): void;
  fail(error?: Error): void;
}

let clock: ManualClock;
let trials: Trial[];
let failures: FailedStage[];
let changes: number;
let starts: StartHealth;
beforeEach(() => {
  clock = new ManualClock();
  trials = [];
  failures = [];
  changes = 0;
  starts = new StartHealth({
    tryStart: () =>
      new Promise((resolve, reject) => {
        trials.push({ succeed: resolve, fail: (error = new Error('Xorg has ended.')) => reject(error) });
      }),
    clock,
    log: quiet,
    onFailure: (stage) => void failures.push(stage),
    onChange: () => {
      changes += 1;
    },
  });
});

/** A failure for which the host or the session is the reason. The first trial begins. */
async function fail(stage: 'host' | 'session' = 'host'): Promise<void> {
  starts.failed(stage, 'exit code 1');
  await pass();
}

/** Advances time and runs what follows. */
async function pass(milliseconds = 0): Promise<void> {
  clock.advance(milliseconds);
  await turn();
}

function last(): Trial {
  const trial = trials.at(-1);
  assert.ok(trial);
  return trial;
}

describe('the health of session starts', () => {
  it('excludes the machine when a host fails, until a trial succeeds', async () => {
    assert.equal(starts.ready, true);
    starts.failed('host', 'exit code 1');
    assert.deepEqual([starts.ready, starts.state, changes], [false, 'failing', 1]);
    await pass();
    last().succeed();
    await pass(1);
    assert.deepEqual([starts.ready, starts.state, changes, trials.length], [true, 'sound', 2, 1]);
    assert.deepEqual(failures, ['host']);
  });

  it('retries with growing delays', async () => {
    await fail();
    for (const pause of [TRIAL_PAUSE_MS, 10_000, 20_000, 40_000, LONGEST_PAUSE_MS, LONGEST_PAUSE_MS]) {
      const before = trials.length;
      last().fail();
      await turn();
      await pass(pause - 1);
      assert.equal(trials.length, before);
      await pass(1);
      assert.equal(trials.length, before + 1);
    }
    assert.equal(failures.filter((stage) => stage === 'trial').length, 6);
  });

  it('keeps the machine in placement if a trial shows that the session itself caused the failure', async () => {
    starts.failed('session', 'Chromium keeps ending.');
    assert.deepEqual([starts.ready, starts.state], [true, 'suspect']);
    await pass();
    clock.advance(1);
    last().succeed();
    await turn();
    assert.deepEqual([starts.state, changes], ['sound', 0]);
  });

  it('excludes the machine if the trial after a failed session fails too', async () => {
    await fail('session');
    last().fail();
    await turn();
    assert.deepEqual([starts.ready, changes], [false, 1]);
  });

  it('counts a trial without an answer as failed, and retries', async () => {
    await fail('session');
    await pass(TRIAL_MS);
    assert.equal(starts.state, 'failing');
    await pass(TRIAL_PAUSE_MS);
    assert.equal(trials.length, 2);
  });

  it('ignores a trial that was running when another start failed', async () => {
    await fail();
    clock.advance(10);
    starts.failed('host', 'exit code 1');
    last().succeed();
    await turn();
    assert.equal(starts.ready, false);
    await pass(TRIAL_PAUSE_MS);
    assert.equal(trials.length, 2);
  });

  it('draws no conclusion from a trial without a free place', async () => {
    await fail('session');
    last().fail(new ServiceError('err_exceeded_vm_limit', 999));
    await turn();
    assert.equal(starts.state, 'suspect');
    await pass(TRIAL_PAUSE_MS);
    assert.equal(trials.length, 2);
  });

  it('is restored by a session that began after the failure and showed its page, but not by an earlier one', () => {
    clock.advance(100);
    starts.failed('host', 'exit code 1');
    starts.succeeded(50);
    assert.equal(starts.ready, false);
    starts.succeeded(101);
    assert.equal(starts.ready, true);
  });

  it('starts nothing after it was stopped', async () => {
    starts.stop();
    starts.failed('host', 'exit code 1');
    await pass(LONGEST_PAUSE_MS);
    assert.equal(trials.length, 0);
  });
});

describe('a service whose sessions do not start', () => {
  let parts: FakeServiceParts & { starts: StartHealth };
  let sessions: SessionService;
  beforeEach(() => {
    parts = fakeServiceParts({ starts, clock });
    sessions = new SessionService(parts);
  });

  it('is not ready, until a trial succeeds', async () => {
    starts.failed('host', 'exit code 1');
    assert.throws(() => sessions.requireReady(), { code: 'err_cannot_start', retryAfter: 10 });
    assert.throws(() => sessions.requireReady('anywhere'), { code: 'err_cannot_start' });
    await pass();
    clock.advance(1);
    last().succeed();
    await turn();
    sessions.requireReady();
  });

  it('reports that other machines may serve the region', () => {
    sessions = new SessionService(fakeServiceParts({ starts, clock, database: { available: true } }));
    starts.failed('host', 'exit code 1');
    assert.throws(() => sessions.requireReady(), { code: 'err_cannot_start' });
    sessions.requireReady('anywhere');
  });

  it('responds to creates at once while it is healthy', async () => {
    const { state } = await sessions.create({}, nobody);
    assert.equal(state, 'starting');
  });

  it('never returns a session that ends while it starts', async () => {
    await sessions.create({}, nobody);
    parts.pool.last.listener.onEnded('crashed', 'The session could not start.');
    assert.equal(starts.state, 'suspect');
    const creating = sessions.create({ tag: 'one' }, nobody);
    await turn();
    parts.pool.last.listener.onEnded('crashed', 'The session could not start.');
    await assert.rejects(creating, { code: 'err_session_failed', retryAfter: 5 });
    assert.equal(sessions.held.size, 0);
    // The tag and the place are free again, and the failed session left no record.
    clock.advance(1);
    const again = sessions.create({ tag: 'one' }, nobody);
    await turn();
    parts.pool.last.listener.onStarted({});
    assert.equal((await again).state, 'running');
    assert.equal((await sessions.list(undefined)).results.length, 1);
    assert.equal(starts.state, 'sound');
  });

  it('does not count a session that its caller ended while it started as a failed start', async () => {
    starts.failed('session', 'Chromium keeps ending.');
    failures = [];
    let stopped: () => void = () => undefined;
    const creating = sessions.create({}, nobody);
    await turn();
    const { last: host } = parts.pool;
    const stop = host.stop.bind(host);
    host.stop = (reason) => new Promise<void>((resolve) => (stopped = resolve)).then(() => stop(reason));
    const [id = ''] = sessions.held.keys();
    const ending = sessions.end(id, 'request');
    await turn();
    // The session takes longer to end than its page may take to appear.
    await pass(PROOF_MS);
    stopped();
    const message = /: a request ended it while it started\./;
    await assert.rejects(creating, { code: 'err_session_terminated', message });
    await ending;
    assert.deepEqual([failures, parts.pool.hosts.length], [[], 1]);
  });

  it('refuses a create whose session shows no page in time, and ends the session', async () => {
    starts.failed('host', 'exit code 1');
    const refused = assert.rejects(sessions.create({}, nobody), { code: 'err_session_failed' });
    await turn();
    await pass(PROOF_MS);
    await refused;
    assert.equal(parts.pool.last.stopReason, 'crashed');
    assert.equal(sessions.held.size, 0);
  });

  it('refuses a create whose session showed no page before its client gives up, also if the end is slow', async () => {
    starts.failed('host', 'exit code 1');
    let code: unknown;
    const refused = sessions.create({}, nobody).catch((error: unknown) => {
      code = error instanceof ServiceError && error.code;
    });
    await turn();
    const { last: host } = parts.pool;
    let stopped: () => void = () => undefined;
    const stop = host.stop.bind(host);
    host.stop = (reason) => new Promise<void>((resolve) => (stopped = resolve)).then(() => stop(reason));
    await pass(PROOF_MS);
    assert.equal(code, undefined);
    await pass(ENDING_WAIT_MS - PROOF_MS);
    assert.equal(code, 'err_session_failed');
    stopped();
    await refused;
  });

  it('refuses a create whose session ends while its record is written, without usage', async () => {
    const { registry } = parts;
    const save = registry.save.bind(registry);
    registry.save = async (record) => {
      if (!record.ended)
        parts.pool.last.listener.onEnded('crashed', 'The session host stopped unexpectedly.');
      await save(record);
    };
    await assert.rejects(sessions.create({}, nobody), { code: 'err_session_failed' });
    await sessions.close();
    const [record] = [...registry.records.values()];
    assert.deepEqual([record?.ended?.reason, record?.ended?.seconds], ['crashed', 0]);
  });

  it('does not count a session that its caller ended as a failed start', async () => {
    const { record } = await sessions.create({}, nobody);
    await sessions.end(record.id, 'request');
    assert.equal(starts.state, 'sound');
  });
});
