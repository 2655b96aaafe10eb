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

describe('the command of a host', () => {
  it('limits open files and file sizes, and prevents core dumps', async () => {
    const place = { directory: '/nonexistent', extensions: '/nonexistent' };
    const { execPath, execArgv } = hostCommand(place, LIMITS);
    const { stdout } = await run(execPath, [
      ...execArgv,
      '--print',
      "require('fs').readFileSync('/proc/self/limits', 'utf8')",
    ]);
    const limitOf = (name: string) => new RegExp(`^${name} +(\\d+) +(\\d+)`, 'm').exec(stdout)?.slice(1);
    assert.deepEqual(limitOf('Max open files'), [`${DESCRIPTORS}`, `${DESCRIPTORS}`]);
    // With a limit of one byte, the kernel neither writes a file nor passes the memory to a program.
    assert.deepEqual(limitOf('Max core file size'), ['1', '1']);
    assert.deepEqual(limitOf('Max file size'), [`${LIMITS.diskBytes}`, `${LIMITS.diskBytes}`]);
  });
});
