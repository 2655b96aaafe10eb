import { lstatSync, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/** `st_blocks` counts these, whatever the file system; see inode(7). */
const BLOCK_BYTES = 512;
/** Files that are looked at without a pause: about a millisecond. */
const FILES_PER_TURN = 200;

/** What a directory and everything in it take of the disk, in bytes. Files that go meanwhile do not count. */
export async function directoryBytes(directory: string): Promise<number> {
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

/** Bytes that are free where a directory is; infinitely many when that cannot be told. */
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
  } catch {
    return [];
  }
}
