import { lstatSync, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/** Unit of `st_blocks` on every file system, see inode(7). */
const BLOCK_BYTES = 512;
/**
 * Number of files to measure before other tasks of this process can run. Measuring them takes about a
 * millisecond.
 */
const FILES_PER_TURN = 200;

/** Errors for files that this process cannot list: no permission, or a path that is too long. */
const HIDDEN: readonly unknown[] = ['EACCES', 'ENAMETOOLONG'];

/**
 * Returns the disk space of a directory with all its content, in bytes. Files that are removed during the
 * measurement may not be counted. Returns infinity if this process cannot list a part of the content.
 * Otherwise a compromised browser could avoid its limit with `chmod`.
 */
export async function directoryBytes(directory: string): Promise<number> {
  try {
    return await bytesIn(directory);
  } catch (error) {
    if (HIDDEN.includes((error as NodeJS.ErrnoException).code)) return Infinity;
    throw error;
  }
}

async function bytesIn(directory: string): Promise<number> {
  let [bytes, files] = [0, 0];
  const waiting = [directory];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const name of namesIn(path)) {
      const file = join(path, name);
      const state = lstatSync(file, { throwIfNoEntry: false });
      if (state?.isDirectory()) waiting.push(file);
      bytes += (state?.blocks ?? 0) * BLOCK_BYTES;
      if (++files % FILES_PER_TURN === 0) await turn();
    }
  }
  return bytes;
}

/** Returns the free bytes of a directory's file system. Infinity if they are unknown. */
export function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (HIDDEN.includes((error as NodeJS.ErrnoException).code)) throw error;
    return [];
  }
}
