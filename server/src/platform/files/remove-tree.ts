import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Timeout of each program. A later attempt removes the remaining files. */
const TIMEOUT_MS = 60_000;

/**
 * Removes a directory with all its content, even if an attacker created it. Follows no links. Node's `rm`
 * uses whole paths, so it fails if directories are nested too deeply for a path. It also fails on directories
 * that their owner may not enter. In these cases, this function uses chmod(1) and rm(1), which enter one
 * directory after the other.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    const options = { env: { PATH: '/usr/bin:/bin' }, timeout: TIMEOUT_MS };
    await run('chmod', ['-R', 'u+rwx', '--', path], options).catch(() => undefined);
    await run('rm', ['-rf', '--', path], options);
  }
}
