import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { removeTree } from './remove-tree.js';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** A larger file is none of those that we read in places of others. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file below a directory in which somebody hostile may have put links, pipes and the like: never through a link, never
 * waiting, never more than 16 MB. Undefined when there is no such file.
 *
 * @param root nobody hostile chooses where this is
 * @param path relative
 */
export async function readInside(root: string, path: string): Promise<string | undefined> {
  return (await readBytesInside(root, path))?.toString('utf8');
}

/** As {@link readInside}, for what is no text. */
export async function readBytesInside(root: string, path: string): Promise<Buffer | undefined> {
  try {
    return await inParent(root, path, openDirectory, async (target) => {
      const file = await open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const found = await file.stat();
        return found.isFile() && found.size <= MAX_BYTES ? await file.readFile() : undefined;
      } finally {
        await file.close();
      }
    });
  } catch {
    return undefined;
  }
}

/** The names in a directory below such a directory; none when it is not there, or a link. */
export async function namesInside(root: string, path: string): Promise<string[]> {
  try {
    return await inParent(root, `${path}/.`, openDirectory, (target) => readdir(target));
  } catch {
    return [];
  }
}

/** Opens a file to be read, in a directory as that of {@link readInside}. Undefined when there is no such file; a link is none. */
export async function openInside(root: string, path: string): Promise<FileHandle | undefined> {
  try {
    return await inParent(root, path, openDirectory, async (target) => {
      const file = await open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      if ((await file.stat()).isFile()) return file;
      await file.close();
      return undefined;
    });
  } catch {
    return undefined;
  }
}

/** Removes a file from such a directory, or what is in its place. */
export async function removeInside(root: string, path: string): Promise<void> {
  await inParent(root, path, openDirectory, (target) => rm(target, { recursive: true, force: true })).catch(
    () => undefined,
  );
}

/**
 * Writes a file below such a directory, readable by its owner alone. What stands in the way is removed, and directories that are
 * missing are made.
 */
export async function writeInside(root: string, path: string, text: string): Promise<void> {
  await inParent(root, path, makeDirectory, async (target) => {
    await rm(target, { recursive: true, force: true });
    const file = await open(target, 'wx', 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  });
}

/** Makes an empty directory for its owner alone, whatever a hostile program has left in its place. */
export async function emptyDirectory(path: string): Promise<void> {
  await removeTree(path);
  await mkdir(path, { mode: 0o700 });
}

/** Opens a directory, which a link to one is not. */
export function openDirectory(path: string): Promise<FileHandle> {
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

async function makeDirectory(path: string): Promise<FileHandle> {
  try {
    return await openDirectory(path);
  } catch {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { mode: 0o700 });
    return openDirectory(path);
  }
}

/** Goes to the directory of a file step by step, each from the descriptor of the one before: nothing can be put in between. */
async function inParent<T>(
  root: string,
  path: string,
  step: (path: string) => Promise<FileHandle>,
  use: (target: string) => Promise<T>,
): Promise<T> {
  const names = path.split('/');
  const last = names.pop() ?? '';
  let directory = await openDirectory(root);
  try {
    for (const name of names) {
      const next = await step(`/proc/self/fd/${directory.fd}/${name}`);
      await directory.close();
      directory = next;
    }
    return await use(`/proc/self/fd/${directory.fd}/${last}`);
  } finally {
    await directory.close();
  }
}
