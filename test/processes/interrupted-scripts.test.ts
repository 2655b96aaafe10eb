import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { constants } from 'node:os';
import { afterEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { processStatus } from '../../server/src/platform/process/proc.js';
import { patient } from '../support/limits.js';
import { until } from '../walk/deadline.js';

const SCRIPT = fileURLToPath(new URL('interrupted/script.mjs', import.meta.url));
const LIMIT_MS = patient(20_000);

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (runs(pid)) process.kill(pid, 'SIGKILL');
});

function runs(pid: number): boolean {
  const status = processStatus(pid);
  return status !== undefined && !status.zombie;
}

/** Starts a command line. Resolves when its script has started its processes. */
async function begin(command: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  for await (const line of createInterface({ input: child.stdout })) {
    const pids = /started ([\d ]+)/.exec(line)?.[1]?.trim().split(' ').map(Number);
    if (!pids) continue;
    started.push(...pids);
    break;
  }
  child.stdout.resume();
  assert.equal(started.filter(runs).length, 4, 'the program and three processes run');
  return child;
}

const nothingIsLeft = () => until('nothing is left', LIMIT_MS, () => !started.some(runs));

describe('an interrupted script leaves no process behind', () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    it(`after ${signal} to its whole group, as from a terminal`, async () => {
      const script = await begin(process.execPath, [SCRIPT]);
      const exit = once(script, 'exit') as Promise<[number | null]>;
      process.kill(-(script.pid ?? 0), signal);
      await nothingIsLeft();
      assert.equal((await exit)[0], 128 + constants.signals[signal]);
    });

  it('after its terminal closes', { skip: !existsSync('/usr/bin/script') }, async () => {
    const line = `exec ${process.execPath} ${SCRIPT}`;
    const terminal = await begin('/usr/bin/script', ['--quiet', '--return', '--command', line, '/dev/null']);
    terminal.kill('SIGKILL');
    await nothingIsLeft();
  });
});

describe('the scripts', () => {
  it('start processes only through the helper, which ends them', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const { stdout } = spawnSync('grep', ['-rlw', 'spawn', 'scripts'], { cwd: root, encoding: 'utf8' });
    // This script drives one service for a minute and ends it itself.
    const allowed = ['scripts/demo-pictures.mjs', 'scripts/lib/run.mjs'];
    assert.deepEqual(stdout.trim().split('\n').sort(), allowed);
  });
});
