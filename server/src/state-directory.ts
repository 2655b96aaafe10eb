import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from './platform/coded-error.js';
import { acquireLock, type FileLock } from './platform/file-lock.js';

/** The service cannot start as it is configured. The message says what to do. */
export class StartError extends CodedError {
  readonly code = 'err_start';
}

/**
 * Makes the state directory and takes it for this process: two services on one directory would end each other's records.
 * Throws {@link StartError}.
 */
export async function takeStateDirectory(path: string): Promise<FileLock> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `${path} cannot be made (${code}). Set STATE_DIR to a directory that this user may write to.`,
    );
  }
  const lock = await acquireLock(join(path, 'locks'), 'service');
  if (!lock) throw new StartError(`${path} is in use by another running service. Stop it, or set STATE_DIR.`);
  return lock;
}
