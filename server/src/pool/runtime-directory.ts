import { chmod, lstat, cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import { acquireLock, shareLock } from '../platform/files/file-lock.js';
import { ignoreMissing } from '../platform/files/ignore-missing.js';
import { makeDirectory } from '../platform/files/make-directory.js';
import { packageFile } from '../platform/files/package-files.js';

/** The directory for running sessions cannot be used in its current state. */
export class RuntimeDirectoryError extends Error {
  readonly code = 'err_runtime_dir';

  constructor(problem: string) {
    super(`${problem} Set RUNTIME_DIR to another directory.`);
    this.name = 'RuntimeDirectoryError';
  }
}

/**
 * Maximum length of the directory's path in bytes. Sessions have sockets in it, and the path of a socket has
 * at most 107 bytes, see unix(7). The longest part after the directory is `/9999/x/sockets/X0`.
 */
export const MAX_PATH_BYTES = 88;

/**
 * Makes the directory that contains one directory per running session. If the service is root, other users
 * may open files below the directory but not list it. The default directory is in /tmp, where every user can
 * create files. So this function refuses a directory that belongs to another user. Throws
 * {@link RuntimeDirectoryError}.
 */
export async function prepareRuntimeDirectory(path: string, asRoot: boolean): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new RuntimeDirectoryError(
      `${path} has more than ${MAX_PATH_BYTES} bytes, so no session could make its sockets.`,
    );
  try {
    await makeDirectory(path);
  } catch (error) {
    throw new RuntimeDirectoryError(`${path} cannot be made (${(error as Error).message}).`);
  }
  const found = await lstat(path);
  if (!found.isDirectory()) throw new RuntimeDirectoryError(`${path} is not a directory.`);
  if (found.uid !== process.getuid?.()) throw new RuntimeDirectoryError(`${path} belongs to another user.`);
  await chmod(path, asRoot ? 0o711 : 0o700);
  if (asRoot) await requirePassable(dirname(path));
}

async function requirePassable(path: string): Promise<void> {
  const { mode } = await lstat(path);
  if ((mode & 0o001) === 0)
    throw new RuntimeDirectoryError(`The user ids of sessions cannot open files below ${path}.`);
  if (dirname(path) !== path) await requirePassable(dirname(path));
}

/**
 * Age in milliseconds above which an unfinished copy of the extensions counts as left by a killed service.
 * Copying takes a second or two.
 */
const COPY_TIMEOUT_MS = 3_600_000;
/** Directory of the built extensions. */
const BUILT = packageFile('dist', 'browser-extensions');

/**
 * Copies the extensions of this build to a directory that the users of sessions can read. These users cannot
 * read the directory of the service's code. Returns the new directory. Every build has its own directory, so
 * services that share a runtime directory do not disturb each other. Removes the directories of other builds
 * that no service uses.
 */
export async function shareExtensions(runtimeDirectory: string): Promise<string> {
  await removeOldCopies(runtimeDirectory);
  const name = `extensions-${await digestOf(BUILT)}`;
  const directory = join(runtimeDirectory, name);
  // Holds this lock until the process ends, so that no other service removes the directory.
  await shareLock(locksIn(runtimeDirectory), name);
  // A directory that cannot be removed must not prevent the start. The next start tries again.
  await removeUnused(runtimeDirectory, name).catch(() => undefined);
  if (await stat(directory).catch(() => undefined)) return directory;
  const temporary = `${directory}.${randomBytes(6).toString('hex')}.tmp`;
  // Without a build there are no extensions. Sessions that need an extension report an error.
  await copyForAll(BUILT, temporary).catch(ignoreMissing);
  await rename(temporary, directory).catch(async () => rm(temporary, { recursive: true, force: true }));
  return directory;
}

/**
 * Copies a directory so that all users can read the copy. The source may be readable for its owner only, for
 * example if the service was installed with the umask 077.
 */
export async function copyForAll(source: string, target: string): Promise<void> {
  await cp(source, target, { recursive: true });
  await chmod(target, 0o755);
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/**
 * Removes unfinished copies of killed services. Keeps a recent copy, because another service that is just
 * starting may be writing it.
 */
async function removeOldCopies(runtimeDirectory: string): Promise<void> {
  for (const name of await readdir(runtimeDirectory)) {
    if (!/^extensions-.*\.tmp$/.test(name)) continue;
    const path = join(runtimeDirectory, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > COPY_TIMEOUT_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Removes the extensions of other builds, unless a service uses them. */
async function removeUnused(runtimeDirectory: string, own: string): Promise<void> {
  for (const name of await readdir(runtimeDirectory)) {
    if (!/^extensions-[\da-f]{16}$/.test(name) || name === own) continue;
    const lock = await acquireLock(locksIn(runtimeDirectory), name);
    if (!lock) continue;
    await rm(join(runtimeDirectory, name), { recursive: true, force: true }).finally(() => lock.release());
  }
}

function locksIn(runtimeDirectory: string): string {
  return join(runtimeDirectory, 'locks');
}

async function digestOf(directory: string): Promise<string> {
  const hash = createHash('sha256');
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  for (const name of names.sort()) {
    const { size, mtimeMs } = await stat(join(directory, name));
    hash.update(`${name}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex').slice(0, 16);
}
