import { randomBytes } from 'node:crypto';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a file is to hold; a stream is written as it comes. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Replaces a file so that a reader, and a machine that loses power, sees the old content or the new, never a part.
 * The file is readable by its owner alone. A write that fails leaves nothing behind.
 */
export async function writeFileAtomic(path: string, content: FileContent): Promise<void> {
  const temporary = await writeBeside(path, content);
  try {
    await rename(temporary, path);
  } catch (error) {
    await removed(temporary);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** As {@link writeFileAtomic}, but leaves a file that is already there as it is. Returns whether it wrote one. */
export async function createFileAtomic(path: string, content: FileContent): Promise<boolean> {
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

async function writeBeside(path: string, content: FileContent): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await writeTo(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    // On a full disk a part that stays would keep it full.
    await removed(temporary);
    throw error;
  }
  return temporary;
}

async function writeTo(file: FileHandle, content: FileContent): Promise<void> {
  if (typeof content === 'string' || content instanceof Uint8Array) return file.writeFile(content);
  for await (const part of content) await file.writeFile(part);
}

/** Removes a file, as far as that is possible: what went wrong before is what counts. */
async function removed(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
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
