import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { processesNaming } from '../../server/src/pool/processes.js';

it('a process of a place is found by its working directory, even if its command line does not contain it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'place-'));
  const child = spawn('cat', { cwd: directory, stdio: ['pipe', 'ignore', 'ignore'] });
  try {
    await once(child, 'spawn');
    assert.deepEqual(processesNaming(directory), [child.pid]);
    child.stdin.end();
    await once(child, 'close');
    assert.deepEqual(processesNaming(directory), []);
  } finally {
    child.kill('SIGKILL');
    await rm(directory, { recursive: true });
  }
});
