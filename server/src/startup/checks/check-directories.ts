import { lstat, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '../../platform/files/make-directory.js';
import { removeTree } from '../../platform/files/remove-tree.js';
import { MAX_PATH_BYTES, prepareRuntimeDirectory } from '../../pool/runtime-directory.js';

/** Age in milliseconds above which the directory of a check counts as left. A check takes a few minutes. */
const LEFT_MS = 3_600_000;

/** Error codes of a directory in which this process can create nothing. */
const CLOSED = ['EACCES', 'EPERM', 'EROFS'];

/** Bytes that `mkdtemp` adds to a path. */
const RANDOM_BYTES = 6;

/**
 * Makes the directory in which a check starts its session. The directory is beside the runtime directory,
 * because the runtime directory may belong to the user of the service, who may be another user. If this
 * process cannot create files there, for example because the runtime directory is a mount point, the
 * directory is inside the runtime directory. If its path would be too long for the sockets of a session, it
 * is in the directory for temporary files.
 */
export async function makeCheckDirectory(runtimeDir: string, asRoot: boolean): Promise<string> {
  if (Buffer.byteLength(checksBeside(runtimeDir)) + RANDOM_BYTES > MAX_PATH_BYTES)
    return mkdtemp(checksIn(tmpdir()));
  try {
    await makeDirectory(dirname(runtimeDir), 0o755);
    return await mkdtemp(checksBeside(runtimeDir));
  } catch (error) {
    if (!CLOSED.includes(String((error as NodeJS.ErrnoException).code))) throw error;
    await prepareRuntimeDirectory(runtimeDir, asRoot);
    return mkdtemp(checksInside(runtimeDir));
  }
}

/**
 * Removes the directories of checks that were killed. Keeps directories of other users, because the parent
 * may be `/tmp`, where every user can create directories with such names.
 */
export async function removeLeftChecks(runtimeDir: string): Promise<void> {
  const beginnings = [checksBeside(runtimeDir), checksInside(runtimeDir), checksIn(tmpdir())];
  for (const beginning of beginnings) {
    const parent = dirname(beginning);
    for (const name of await readdir(parent).catch(() => [])) {
      if (!name.startsWith(basename(beginning))) continue;
      const path = join(parent, name);
      const found = await lstat(path).catch(() => undefined);
      if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
      if (Date.now() - found.mtimeMs > LEFT_MS) await removeTree(path);
    }
  }
}

/** Returns the beginning of the paths of directories beside the runtime directory. */
function checksBeside(runtimeDir: string): string {
  return `${runtimeDir}-check-`;
}

/** Returns the beginning of the paths of directories inside the runtime directory. */
function checksInside(runtimeDir: string): string {
  return join(runtimeDir, 'check-');
}

/** Returns the beginning of the paths of directories in the directory for temporary files. */
function checksIn(temporary: string): string {
  return join(temporary, 'cloud-browser-path-check-');
}
