import { randomBytes } from 'node:crypto';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file so that a reader, and a machine that loses power, sees the old content or the new, never a part.
 * The file is readable by its owner alone.
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = await writeBeside(path, content);
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/** As {@link writeFileAtomic}, but leaves a file that is already there as it is. Returns whether it wrote one. */
export async function createFileAtomic(path: string, content: string | Uint8Array): Promise<boolean> {
  const temporary = await writeBeside(path, content);
  try {
    await link(temporary, path);
    await syncDirectory(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(temporary);
  }
}

/** Whether a name in a directory is an unfinished write of {@link writeFileAtomic}. */
export function isTemporary(name: string): boolean {
  return name.endsWith('.tmp');
}

async function writeBeside(path: string, content: string | Uint8Array): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}

/** A rename is durable only once the directory that holds the name is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
