import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { awaitLock, type FileLock } from '../platform/files/file-lock.js';
import { makeConfiguredDirectory } from './configured-directories.js';
import { StartError } from './start-error.js';

/**
 * Makes the state directory and locks it for this process. Two services with the same directory would mark
 * each other's sessions as ended. Throws {@link StartError}.
 */
export async function takeStateDirectory(path: string): Promise<FileLock> {
  await makeConfiguredDirectory('STATE_DIR', path);
  const lock = await awaitLock(join(path, 'locks'), 'service');
  if (!lock) throw new StartError(`${path} is in use by another running service. Stop it, or set STATE_DIR.`);
  return lock;
}

/**
 * Returns an id of the state directory. No other directory on any machine has the same id, not even a copy.
 * The id changes when the machine boots. Only one process at a time can lock the directory. So when a process
 * has locked it, every earlier process with the same id has ended.
 */
export async function homeOf(path: string): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => randomUUID());
  const { dev, ino } = await stat(path);
  return `${boot.trim()} ${dev} ${ino}`;
}
