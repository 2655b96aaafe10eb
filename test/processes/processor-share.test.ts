import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { BY_PRIORITY, byService } from '../../server/src/host/limits/processor-share.js';

let program: ChildProcess;
let pid: number;
beforeEach(async () => {
  program = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(program, 'spawn');
  pid = program.pid ?? -1;
});
afterEach(() => void program.kill('SIGKILL'));

describe('a thread that computes without a pause', () => {
  it('has the lowest priority in the control group of its session, so that the host can work', () => {
    byService(() => undefined).threads([{ pid, tid: pid }]);
    assert.equal(getPriority(pid), 19);
  });

  it('has a low priority on the machine if its session has no control group', () => {
    BY_PRIORITY.threads([{ pid, tid: pid }]);
    assert.equal(getPriority(pid), 10);
  });

  it('may have ended', async () => {
    program.kill('SIGKILL');
    await once(program, 'exit');
    for (const giver of [byService(() => undefined), BY_PRIORITY]) giver.threads([{ pid, tid: pid }]);
  });
});
