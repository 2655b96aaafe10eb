import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The built program. */
const cli = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));

let base: string;
let group: number | undefined;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'cloud-browser-npx-'));
  // The users of sessions must have access.
  await chmod(base, 0o711);
});
afterEach(async () => {
  if (group !== undefined) endGroup(group);
  await rm(base, { recursive: true, force: true });
});

/** Ends processes that a failed test leaves. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Asserts that no process is left.
  }
}

describe('a service started by npx', () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    it(`closes when npx ends with ${signal}, which npx does not forward`, async () => {
      const npx = spawn('npx', ['--call', `'${process.execPath}' '${cli}'`], {
        cwd: base,
        detached: true,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          PORT: '0',
          API_KEYS: 'k',
          WARM_HOSTS: '0',
          WARM_BROWSERS: '0',
          DRAIN_SECONDS: '0',
          STATE_DIR: join(base, 'state'),
          RUNTIME_DIR: join(base, 'run'),
          SESSION_UID_BASE: '1767000',
        },
      });
      group = npx.pid;
      let said = '';
      const isReady = new Promise<void>((resolve) => {
        for (const stream of [npx.stdout, npx.stderr])
          stream.on('data', (text) => {
            said += String(text);
            if (said.includes('is ready')) resolve();
          });
      });
      // Also resolves when every process with its output has ended.
      const isOver = once(npx, 'close');
      await Promise.race([isReady, isOver]);
      assert.match(said, /is ready/);
      npx.kill(signal);
      await isOver;
      assert.match(said, /"message":"stopping".*npx/);
    });
});
