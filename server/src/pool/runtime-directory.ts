import { chmod, lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The directory for running sessions cannot be used as it is. */
export class RuntimeDirectoryError extends Error {
  readonly code = 'err_runtime_dir';

  constructor(problem: string) {
    super(`${problem} Set RUNTIME_DIR to another directory.`);
    this.name = 'RuntimeDirectoryError';
  }
}

/**
 * Makes the directory that holds one directory per running session. As root, others may pass through it but not list it.
 * Its default lies in /tmp, where anybody can make things, so one that is not ours is refused. Throws
 * {@link RuntimeDirectoryError}.
 */
export async function prepareRuntimeDirectory(path: string, asRoot: boolean): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (!found.isDirectory()) throw new RuntimeDirectoryError(`${path} is not a directory.`);
  if (found.uid !== process.getuid?.()) throw new RuntimeDirectoryError(`${path} belongs to another user.`);
  await chmod(path, asRoot ? 0o711 : 0o700);
  if (asRoot) await requirePassable(dirname(path));
}

async function requirePassable(path: string): Promise<void> {
  const { mode } = await lstat(path);
  if ((mode & 0o001) === 0)
    throw new RuntimeDirectoryError(`The users of sessions may not pass through ${path}.`);
  if (dirname(path) !== path) await requirePassable(dirname(path));
}
