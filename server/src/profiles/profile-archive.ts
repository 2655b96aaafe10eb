import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { HostPlace } from '../host-protocol.js';

/** Where hosts have the browser's profile, within their place. */
const PATH = ['browser', 'profile'];
/** A browser that keeps more than this keeps it without us. Bytes, before compression. */
export const MAX_PROFILE_BYTES = 256 * 1024 * 1024;

/** What a browser makes anew, and what belongs to one run alone. Patterns of tar. */
const LEFT_OUT = [
  ...['*Cache', '*cache', 'CacheStorage', 'ScriptCache', 'Crash*', 'BrowserMetrics*', 'Singleton*'],
  ...['Safe Browsing*', 'optimization_guide*', 'segmentation_platform', 'blob_storage', 'DevToolsActivePort'],
];

/** A profile could not be packed or unpacked. */
export class ProfileArchiveError extends Error {
  readonly code = 'err_profile_archive';

  constructor(problem: string) {
    super(problem);
    this.name = 'ProfileArchiveError';
  }
}

/**
 * Everything that a session's browser keeps, as a tar archive. The files are those of hostile pages' browser: they are read
 * as the session's user, who can reach nothing else, and links are not followed. Throws {@link ProfileArchiveError}.
 */
export async function packProfile(place: HostPlace): Promise<Buffer> {
  const exclude = LEFT_OUT.map((pattern) => `--exclude=${pattern}`);
  const tar = startTar(place, ['--create', '--sparse', ...exclude, '.']);
  let bytes = 0;
  tar.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_PROFILE_BYTES) tar.kill('SIGKILL');
  });
  const [archive] = await Promise.all([buffer(tar.stdout), finished(tar, () => bytes)]);
  return archive;
}

/** Puts an archive where the browser will look for its profile. Throws {@link ProfileArchiveError}. */
export async function unpackProfile(archive: Uint8Array, place: HostPlace): Promise<void> {
  let directory = place.directory;
  for (const name of PATH) {
    directory = join(directory, name);
    await mkdir(directory, { mode: 0o700 });
    if (place.uid !== undefined && place.gid !== undefined) await chown(directory, place.uid, place.gid);
  }
  const tar = startTar(place, ['--extract', '--no-same-owner', '--no-same-permissions']);
  // A tar that ends early is told by its exit code.
  tar.stdin.on('error', () => undefined).end(archive);
  tar.stdout.resume();
  await finished(tar, () => archive.length);
}

function startTar(place: HostPlace, args: string[]): ChildProcessWithoutNullStreams {
  const become =
    place.uid === undefined
      ? []
      : [`--reuid=${place.uid}`, `--regid=${place.gid}`, '--clear-groups', '--bounding-set=-all'];
  const directory = join(place.directory, ...PATH);
  return spawn(
    'setpriv',
    [
      '--pdeathsig',
      'KILL',
      ...become,
      '--no-new-privs',
      '--',
      'tar',
      '--file=-',
      `--directory=${directory}`,
      ...args,
    ],
    { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } },
  );
}

async function finished(tar: ChildProcessWithoutNullStreams, bytes: () => number): Promise<void> {
  const errors: Buffer[] = [];
  tar.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(tar, 'close')) as [number | null];
  if (bytes() > MAX_PROFILE_BYTES)
    throw new ProfileArchiveError(`The profile has more than ${MAX_PROFILE_BYTES} bytes.`);
  if (code !== 0)
    throw new ProfileArchiveError(`tar failed: ${Buffer.concat(errors).toString().slice(-500)}`);
}
