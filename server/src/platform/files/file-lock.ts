import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../coded-error.js';
import { isStorageError } from '../storage-error.js';
import { makeDirectory } from './make-directory.js';

/** A lock on a name. While this process holds it, no other process can lock the name. */
export interface FileLock {
  release(): void;
}

/**
 * Option of flock(1): locks for this process alone without waiting, or after up to two seconds, or together
 * with other processes.
 */
type LockMode = '--nonblock' | '--timeout=2' | '--shared';

/**
 * Thrown if a lock cannot be used: its directory or file is unsafe or cannot be opened, or flock(1) failed.
 */
export class LockError extends CodedError {
  readonly code = 'err_lock';
}

/**
 * Timeout for flock(1). A lock that is held alone is either not waited for or held only for a moment, so only
 * a very slow machine reaches this timeout.
 */
const FLOCK_TIMEOUT_MS = 10_000;
/** Exit code of flock(1) when another process holds the lock. */
const TAKEN = 1;
/**
 * Flags for opening a lock file. They refuse a symbolic link, and do not wait for the other end of a FIFO.
 */
const OPEN_LOCK = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Locks a name among all processes that use this directory. Resolves to undefined if another process has
 * locked it. The kernel releases the lock when this process ends for any reason, so a lock is never stale. A
 * release does not remove the lock file, because another process may just have locked it.
 *
 * The lock is not an abstract socket, because every user of the machine could occupy the name of such a
 * socket.
 *
 * @param directory must be writable only by this user. A missing directory is made. Throws {@link LockError}
 *   if others may write to it
 */
export function acquireLock(directory: string, name: string): Promise<FileLock | undefined> {
  return acquire(directory, name, '--nonblock');
}

/**
 * Locks a name like {@link acquireLock}, but first waits up to two seconds for its holder. Use it if the
 * holder may just have been killed. If it was starting a program then, the new process keeps the lock until
 * it has replaced itself with the program. Throws {@link LockError}.
 */
export function awaitLock(directory: string, name: string): Promise<FileLock | undefined> {
  return acquire(directory, name, '--timeout=2');
}

/**
 * Locks a name like {@link acquireLock}, but several processes can share this lock. While one of them holds
 * it, {@link acquireLock} resolves to undefined. Waits while another process holds the lock alone. Throws
 * {@link LockError}.
 */
export async function shareLock(directory: string, name: string): Promise<FileLock> {
  const lock = await acquire(directory, name, '--shared');
  if (!lock) throw new LockError(`${join(directory, name)} cannot be shared.`);
  return lock;
}

async function acquire(directory: string, name: string, mode: LockMode): Promise<FileLock | undefined> {
  await requireOwnDirectory(directory);
  const path = join(directory, name);
  let descriptor: number;
  try {
    descriptor = openSync(path, OPEN_LOCK, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The process or the machine has too many open files, or the disk is full or read-only. The lock file
    // itself is fine.
    if (code === 'EMFILE' || code === 'ENFILE' || isStorageError(error)) throw error;
    throw new LockError(`${path} cannot be opened (${code}). Remove it.`);
  }
  const release = () => closeSync(descriptor);
  try {
    if (!fstatSync(descriptor).isFile()) throw new LockError(`${path} is not a file. Remove it.`);
    if (await lock(descriptor, mode)) return { release };
  } catch (error) {
    release();
    throw error;
  }
  release();
  return undefined;
}

/**
 * Locks a descriptor with flock(1). flock inherits the open file and locks it. This process has the same file
 * open, so the lock stays when flock ends.
 */
function lock(descriptor: number, mode: LockMode): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const flock = spawn('flock', [mode, '3'], {
      stdio: ['ignore', 'ignore', 'ignore', descriptor],
      env: { PATH: '/usr/bin:/bin' },
      timeout: FLOCK_TIMEOUT_MS,
    });
    flock.once('error', ({ message }) => {
      reject(new LockError(`flock(1) cannot be started (${message}). Install util-linux.`));
    });
    flock.once('exit', (code) => {
      if (code === 0 || code === TAKEN) resolve(code === 0);
      else reject(new LockError(`flock failed: ${code === null ? 'it was stopped' : `exit code ${code}`}.`));
    });
  });
}

async function requireOwnDirectory(path: string): Promise<void> {
  try {
    await makeDirectory(path);
  } catch (error) {
    if (isStorageError(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new LockError(`${path} cannot be made (${code}). It must be a directory of this user.`);
  }
  const found = await lstat(path);
  const own = found.isDirectory() && found.uid === process.getuid?.();
  if (!own || (found.mode & WRITABLE_BY_OTHERS) !== 0)
    throw new LockError(`${path} must be a directory that only this user can write to.`);
}
