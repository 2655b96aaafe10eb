import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from './coded-error.js';

/** A name that this process alone holds. */
export interface FileLock {
  release(): void;
}

/** A directory or a file for locks is not what it must be: somebody else could take or forge them. */
export class LockError extends CodedError {
  readonly code = 'err_lock';
}

/** It never waits for a lock: this is for a machine that has no time for it. */
const FLOCK_TIMEOUT_MS = 10_000;
/** Exit code of flock(1) when another process holds the lock. */
const TAKEN = 1;
/** Never through a link, never waiting for a reader, and not handed on to children. */
const OPEN_LOCK = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Takes a name among all processes that use this directory, or resolves to undefined when another one holds it. The kernel gives it
 * up with this process, however that ends, so no lock is ever stale. Its file stays: whoever removed it could remove another's.
 *
 * A name in the abstract namespace of sockets would be as good, but anybody on the machine could take all of them.
 *
 * @param directory only this user may write to it; it is made when it is missing. Throws {@link LockError} when others may
 */
export async function acquireLock(directory: string, name: string): Promise<FileLock | undefined> {
  await requireOwnDirectory(directory);
  const path = join(directory, name);
  let descriptor: number;
  try {
    descriptor = openSync(path, OPEN_LOCK, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Nothing is wrong with the file.
    if (code === 'EMFILE' || code === 'ENFILE') throw error;
    throw new LockError(`${path} cannot be opened (${code}). Remove it.`);
  }
  const release = () => closeSync(descriptor);
  try {
    if (!fstatSync(descriptor).isFile()) throw new LockError(`${path} is not a file. Remove it.`);
    if (await lock(descriptor)) return { release };
  } catch (error) {
    release();
    throw error;
  }
  release();
  return undefined;
}

/** flock(1) locks what it inherits, an open file that it shares with us: the lock stays when it ends. */
function lock(descriptor: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const flock = spawn('flock', ['--nonblock', '3'], {
      stdio: ['ignore', 'ignore', 'ignore', descriptor],
      env: { PATH: '/usr/bin:/bin' },
      timeout: FLOCK_TIMEOUT_MS,
    });
    flock.once('error', reject);
    flock.once('exit', (code) => {
      if (code === 0 || code === TAKEN) resolve(code === 0);
      else reject(new LockError(`flock ended with ${code}. Is util-linux installed?`));
    });
  });
}

async function requireOwnDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LockError(`${path} cannot be made (${code}). It must be a directory of this user.`);
  }
  const found = await lstat(path);
  const own = found.isDirectory() && found.uid === process.getuid?.();
  if (!own || (found.mode & WRITABLE_BY_OTHERS) !== 0)
    throw new LockError(`${path} must be a directory that only this user can write to.`);
}
