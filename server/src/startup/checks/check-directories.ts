import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { removeTree } from '../../platform/files/remove-tree.js';

/** Age in milliseconds above which the directory of a check counts as left. A check takes a few minutes. */
const LEFT_MS = 3_600_000;

/** Returns the beginning of the paths of the directories in which checks start their session. */
export function checksBeside(runtimeDir: string): string {
  return `${runtimeDir}-check-`;
}

/**
 * Removes the directories of checks that were killed. Keeps directories of other users, because the parent
 * may be `/tmp`, where every user can create directories with such names.
 */
export async function removeLeftChecks(runtimeDir: string): Promise<void> {
  const parent = dirname(runtimeDir);
  const beginning = basename(checksBeside(runtimeDir));
  for (const name of await readdir(parent)) {
    if (!name.startsWith(beginning)) continue;
    const path = join(parent, name);
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    if (Date.now() - found.mtimeMs > LEFT_MS) await removeTree(path);
  }
}
