import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and its missing parents. Does nothing if the directory exists. By default only the user
 * of this process can open a new directory. All users can traverse the new parents. Rejects with the error of
 * the operating system. Does not use the recursive `mkdir` of Node. It reports some errors as `ENOENT`, for
 * example that the disk is read-only, and it never ends in `/proc`.
 */
export function makeDirectory(path: string, mode = 0o700): Promise<void> {
  return makeWithParents(path, mode);
}

async function makeWithParents(path: string, mode: number): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeWithParents(dirname(path), 0o755);
    await makeOne(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    return;
  }
  // The umask of the process may have removed permissions. Without need there is no chmod: some network file
  // systems refuse it, and it would remove the inherited setgid bit.
  const { mode: made } = await stat(path);
  if ((made & mode) !== mode) await chmod(path, (made & 0o7000) | mode);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
