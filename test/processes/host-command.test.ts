import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { hostCommand } from '../../server/src/pool/host/host-command.js';
import { DESCRIPTORS, type SessionLimits } from '../../server/src/platform/session-limits.js';

const run = promisify(execFile);

const LIMITS: SessionLimits = {
  memoryBytes: 1_000_000_000,
  processes: 500,
  cpuWeight: 100,
  diskBytes: 5_000_000,
  fileBytes: 1_000_000,
  filesBytes: 1_000_000,
  tabs: 10,
  viewers: 10,
  standbySeconds: 60,
};

const PLACE = { directory: '/nonexistent', extensions: '/nonexistent' };

/** Returns a function that reads the soft and the hard limit of a program that a command has started. */
async function limitsIn({ execPath, execArgv }: ReturnType<typeof hostCommand>) {
  const script = "require('fs').readFileSync('/proc/self/limits', 'utf8')";
  const { stdout } = await run(execPath, [...execArgv, '--print', script]);
  return (name: string) => new RegExp(`^${name} +(\\d+) +(\\d+)`, 'm').exec(stdout)?.slice(1);
}

describe('the command of a host', () => {
  it('limits open files and file sizes, and prevents core dumps', async () => {
    const limitOf = await limitsIn(hostCommand(PLACE, LIMITS));
    assert.deepEqual(limitOf('Max open files'), [`${DESCRIPTORS}`, `${DESCRIPTORS}`]);
    // With a limit of one byte, the kernel neither writes a file nor passes the memory to a program.
    assert.deepEqual(limitOf('Max core file size'), ['1', '1']);
    assert.deepEqual(limitOf('Max file size'), [`${LIMITS.diskBytes}`, `${LIMITS.diskBytes}`]);
  });

  it('requests no more open files than the service may have', async () => {
    const own = 'Max open files            1024                 4096                 files\n';
    const limitOf = await limitsIn(hostCommand(PLACE, LIMITS, own));
    assert.deepEqual(limitOf('Max open files'), ['4096', '4096']);
  });
});
