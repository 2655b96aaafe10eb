import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { removeTree } from './remove-tree.js';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Largest file that is read. All files that the service reads in sessions' directories are smaller. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file below a directory in which an attacker may have created links, pipes and the like. Follows no
 * link, never waits, and refuses files above 16 MB. Returns undefined if the file cannot be read in this way.
 *
 * @param root directory that an attacker cannot replace
 * @param path path of the file, relative to `root`
 */
export async function readInside(root: string, path: string): Promise<string | undefined> {
  return (await readBytesInside(root, path))?.toString('utf8');
}

/** Same as {@link readInside}, for binary files. */
export async function readBytesInside(root: string, path: string): Promise<Buffer | undefined> {
  try {
    return await inParent(root, path, openDirectory, async (target) => {
      const file = await open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const found = await file.stat();
        return found.isFile() && found.size <= MAX_BYTES ? await readStart(file, found.size) : undefined;
      } finally {
        await file.close();
      }
    });
  } catch {
    return undefined;
  }
}

/**
 * Returns the names in a directory that an attacker may have changed. Returns no names if it does not exist
 * or is a link.
 */
export async function namesInside(root: string, path: string): Promise<string[]> {
  try {
    return await inParent(root, `${path}/.`, openDirectory, (target) => readdir(target));
  } catch {
    return [];
  }
}

/**
 * Opens a file for reading, with the same protection as {@link readInside}. Returns undefined if there is no
 * such file, or if it is a link.
 */
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

/** Removes a file, or anything else with this name, with the same protection as {@link readInside}. */
export async function removeInside(root: string, path: string): Promise<void> {
  await inParent(root, path, openDirectory, (target) => rm(target, { recursive: true, force: true })).catch(
    () => undefined,
  );
}

/**
 * Writes a file that only its owner can read, with the same protection as {@link readInside}. Removes
 * anything that has the same name. Creates missing directories, and replaces links and files in the path by
 * directories.
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

/** Makes an empty directory that only its owner can use. Removes anything that has the same name. */
export async function emptyDirectory(path: string): Promise<void> {
  await removeTree(path);
  await mkdir(path, { mode: 0o700 });
}

/** Opens a directory. Fails for a link to a directory. */
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

/**
 * Reads the first bytes of a file. Returns fewer bytes if the file is shorter. Does not use
 * `FileHandle.readFile`, because it reads more if the file grew after its size was checked.
 */
async function readStart(file: FileHandle, size: number): Promise<Buffer> {
  const content = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(content, length, size - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return content.subarray(0, length);
}

/**
 * Opens the directory of a file step by step. Each step starts at the descriptor of the previous step, so
 * that an attacker cannot insert a link.
 */
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
