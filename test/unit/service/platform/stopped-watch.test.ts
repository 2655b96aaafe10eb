import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { processStatus } from '../../../../server/src/platform/process/proc.js';
import {
  RELAPSE_MS,
  STOPPED_LOOKS,
  StoppedWatch,
} from '../../../../server/src/platform/process/stopped-watch.js';
import { WATCH_INTERVAL_MS } from '../../../../server/src/platform/process/watchdog.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const LIMIT_MS = 15_000;

let clock: ManualClock;
let stopped: boolean;
let told: number;
let watch: StoppedWatch;
beforeEach(() => {
  [clock, stopped, told] = [new ManualClock(), false, 0];
  watch = StoppedWatch.start({
    clock,
    pid: 7,
    isStopped: () => stopped,
    proceed: () => (stopped = false),
    onContinued: () => (told += 1),
  });
});

function looks(count: number, interval = WATCH_INTERVAL_MS): void {
  for (let look = 0; look < count; look++) clock.advance(interval);
}

describe('a service process that a signal has stopped', () => {
  it('is continued within 15 s, with one log message', () => {
    assert.ok((STOPPED_LOOKS + 1) * WATCH_INTERVAL_MS < LIMIT_MS);
    looks(2);
    stopped = true;
    looks(STOPPED_LOOKS - 1);
    assert.equal(told, 0);
    looks(1);
    assert.deepEqual([stopped, told], [false, 1]);
    looks(50);
    assert.equal(told, 1);
  });

  it('is left to the watchdog if it is stopped again soon, and continued if the last time is long ago', () => {
    stopped = true;
    looks(STOPPED_LOOKS);
    stopped = true;
    looks(STOPPED_LOOKS + 5);
    assert.deepEqual([stopped, told], [true, 1]);
    looks(RELAPSE_MS / WATCH_INTERVAL_MS);
    assert.deepEqual([stopped, told], [false, 2]);
  });

  it('is continued by a later check if the service could not read its state', () => {
    let readable = false;
    const states = () => {
      if (!readable) throw new Error('EMFILE: too many open files');
      return stopped;
    };
    watch.stop();
    watch = StoppedWatch.start({
      ...{ clock, pid: 7, isStopped: states, proceed: () => (stopped = false) },
      onContinued: () => (told += 1),
    });
    stopped = true;
    looks(10);
    readable = true;
    looks(STOPPED_LOOKS);
    assert.deepEqual([stopped, told], [false, 1]);
  });

  it('is ignored if it continues in time, or if the monitor itself was suspended', () => {
    for (let round = 0; round < 5; round++) {
      stopped = true;
      looks(STOPPED_LOOKS - 1);
      stopped = false;
      looks(1);
    }
    stopped = true;
    looks(10, WATCH_INTERVAL_MS + 2_000);
    assert.equal(told, 0);
  });

  it('is not checked after the monitor was stopped', () => {
    watch.stop();
    assert.equal(clock.pending, 0);
  });

  it("is detected from the kernel's data, and continues", async () => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const state = () => processStatus(pid)?.field('State')[0];
    let continued = false;
    const real = StoppedWatch.start({ clock, pid, onContinued: () => (continued = true) });
    try {
      looks(STOPPED_LOOKS + 1);
      assert.equal(continued, false);
      child.kill('SIGSTOP');
      while (state() !== 'T') await turn();
      looks(STOPPED_LOOKS);
      assert.equal(continued, true);
      while (state() === 'T') await turn();
    } finally {
      real.stop();
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
});
