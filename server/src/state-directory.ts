import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { CodedError } from './platform/coded-error.js';
import { acquireLock, type MachineLock } from './platform/machine-lock.js';

/** The service cannot start as it is configured. The message says what to do. */
export class StartError extends CodedError {
  readonly code = 'err_start';
}

/**
 * Makes the state directory and takes it for this process: two services on one directory would end each other's records.
 * Throws {@link StartError}.
 */
export async function takeStateDirectory(path: string): Promise<MachineLock> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `${path} cannot be made (${code}). Set STATE_DIR to a directory that this user may write to.`,
    );
  }
  const name = createHash('sha256')
    .update(await realpath(path))
    .digest('hex');
  const lock = await acquireLock(`state/${name}`);
  if (!lock) throw new StartError(`${path} is in use by another running service. Stop it, or set STATE_DIR.`);
  return lock;
}
