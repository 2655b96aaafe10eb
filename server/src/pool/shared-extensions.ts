import { createHash, randomBytes } from 'node:crypto';
import { cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../platform/package-files.js';

/** Where the build puts them. */
const BUILT = packageFile('cloud-browser-server', 'dist', 'browser-extensions');

/**
 * Copies the extensions of this build to where the users of sessions can read them, which is not so for the place of our
 * code. Returns the directory. Every build has one of its own, so services that share a runtime directory do not disturb
 * each other.
 */
export async function shareExtensions(runtimeDirectory: string): Promise<string> {
  const directory = join(runtimeDirectory, `extensions-${await digestOf(BUILT)}`);
  if (await stat(directory).catch(() => undefined)) return directory;
  const temporary = `${directory}.${randomBytes(6).toString('hex')}.tmp`;
  await cp(BUILT, temporary, { recursive: true }).catch((error: unknown) => {
    // Without a build there are none, and sessions that want one say so.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  await rename(temporary, directory).catch(async () => rm(temporary, { recursive: true, force: true }));
  return directory;
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
