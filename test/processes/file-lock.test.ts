import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { acquireLock, LockError } from '../../server/src/platform/files/file-lock.js';

const rootOnly = { skip: process.getuid?.() !== 0 && 'needs another user' };
const module = fileURLToPath(new URL('../../server/src/platform/files/file-lock.ts', import.meta.url));
const STRANGER = 65_534;

let base: string;
let directory: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'cloud-browser-locks-'));
  directory = join(base, 'locks');
});
afterEach(() => rm(base, { recursive: true }));

describe('a file lock', () => {
  it('is held by one process, and by the next one after its release', async () => {
    const first = await acquireLock(directory, 'a');
    assert.ok(first);
    assert.equal(await acquireLock(directory, 'a'), undefined);
    const other = await acquireLock(directory, 'b');
    assert.ok(other);
    first.release();
    const next = await acquireLock(directory, 'a');
    assert.ok(next);
    next.release();
    other.release();
  });

  it('reports missing descriptors as such, not as a lock that is held', () => {
    // Runs in a separate process, because other code here must neither fail without descriptors nor free one.
    const script = `import(${JSON.stringify(module)}).then(async ({ acquireLock }) => {
      const { openSync } = await import('node:fs');
      try {
        for (;;) openSync('/dev/null', 'r');
      } catch {}
      await acquireLock(${JSON.stringify(directory)}, 'a').catch((error) => console.log(error.code));
    })`;
    const limited = ['--nofile=200', process.execPath, '--import', 'tsx', '-e', script];
    assert.equal(execFileSync('prlimit', limited, { encoding: 'utf8' }).trim(), 'EMFILE');
  });

  it(
    'on a disk that is read-only or full is reported as such, not as a file to remove',
    rootOnly,
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,nr_inodes=3', 'tmpfs', base]);
      try {
        const lock = await acquireLock(directory, 'a');
        lock?.release();
        await assert.rejects(acquireLock(directory, 'b'), { code: 'ENOSPC' });
        execFileSync('mount', ['-o', 'remount,ro', base]);
        await assert.rejects(acquireLock(directory, 'a'), { code: 'EROFS' });
      } finally {
        execFileSync('umount', ['-l', base]);
      }
    },
  );

  it('is released by the kernel when its process is killed', async () => {
    const script = `import(${JSON.stringify(module)}).then(async ({ acquireLock }) => {
      console.log((await acquireLock(${JSON.stringify(directory)}, 'a')) ? 'held' : 'taken');
      setInterval(() => undefined, 1000);
    })`;
    const holder = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(holder.stdout, 'data')) as [Buffer];
    assert.equal(String(said).trim(), 'held');
    assert.equal(await acquireLock(directory, 'a'), undefined);
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
    const lock = await acquireLock(directory, 'a');
    assert.ok(lock);
    lock.release();
  });

  it('cannot be taken by another user', rootOnly, async () => {
    const lock = await acquireLock(directory, 'a');
    await chmod(base, 0o755);
    lock?.release();
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    const user = ['--reuid', `${STRANGER}`, '--regid', `${STRANGER}`, '--clear-groups', '--'];
    const taking = ['flock', '--nonblock', join(directory, 'a'), 'true'];
    assert.throws(() => execFileSync('setpriv', [...user, ...taking], { stdio: 'ignore' }));
  });

  it('is refused if a link, a pipe or a directory is in its place', async () => {
    await mkdir(directory, { mode: 0o700 });
    const victim = join(base, 'victim');
    await symlink(victim, join(directory, 'link'));
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    await mkdir(join(directory, 'directory'));
    for (const name of ['link', 'pipe', 'directory'])
      await assert.rejects(acquireLock(directory, name), LockError, name);
    await assert.rejects(stat(victim));
  });

  it('is refused in a directory that others can write to', async () => {
    await mkdir(directory);
    await chmod(directory, 0o777);
    await assert.rejects(acquireLock(directory, 'a'), LockError);
    await symlink(base, join(base, 'elsewhere'));
    await assert.rejects(acquireLock(join(base, 'elsewhere'), 'a'), LockError);
  });

  it("is refused in another user's directory", rootOnly, async () => {
    await mkdir(directory, { mode: 0o700 });
    await chown(directory, STRANGER, STRANGER);
    await assert.rejects(acquireLock(directory, 'a'), LockError);
  });
});
