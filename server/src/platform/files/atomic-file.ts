import { randomBytes } from 'node:crypto';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Content for a file. A stream is written as it arrives. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Replaces a file. A reader sees either the old or the new content, never a part of it. This also holds after
 * a power failure. Only the owner can read the file. A failed write leaves nothing behind.
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

/**
 * Same as {@link writeFileAtomic}, but does not change an existing file. Returns true if it wrote the file.
 */
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

/** True if a file name belongs to an unfinished write of a function in this file. */
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
    // Removes the partial file. Otherwise it would take space on a full disk.
    await removed(temporary);
    throw error;
  }
  return temporary;
}

async function writeTo(file: FileHandle, content: FileContent): Promise<void> {
  if (typeof content === 'string' || content instanceof Uint8Array) return file.writeFile(content);
  for await (const part of content) await file.writeFile(part);
}

/** Removes a file if possible. Errors are ignored, because the caller reports the earlier error. */
async function removed(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

/** Syncs the directory of a file, which makes a rename durable. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
