import { lstatSync, readdirSync, statfsSync, statSync, type Stats } from 'node:fs';
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

/**
 * Returns the disk space of deleted files that these processes have open, in bytes. Counts only files of the
 * directory's owner on the file system of the directory. Other file systems of a session are in memory. Files
 * of other owners are parts of installed programs, which an upgrade deletes while sessions have them open. A
 * compromised browser can hide deleted files from this process.
 */
export async function deletedBytes(directory: string, pids: readonly number[]): Promise<number> {
  const own = lstatSync(directory, { throwIfNoEntry: false });
  if (!own) return 0;
  const bytes = new Map<number, number>();
  let files = 0;
  for (const pid of pids)
    for (const state of openFiles(pid)) {
      const isDeleted = state.isFile() && state.nlink === 0;
      if (isDeleted && state.dev === own.dev && state.uid === own.uid)
        bytes.set(state.ino, state.blocks * BLOCK_BYTES);
      if (++files % FILES_PER_TURN === 0) await turn();
    }
  return [...bytes.values()].reduce((sum, size) => sum + size, 0);
}

/** Returns the states of the files that a process has open. */
function* openFiles(pid: number): Generator<Stats> {
  const descriptors = join('/proc', String(pid), 'fd');
  try {
    for (const name of readdirSync(descriptors)) {
      const state = statSync(join(descriptors, name), { throwIfNoEntry: false });
      if (state) yield state;
    }
  } catch {
    // The process has ended, or hides its descriptors.
  }
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
