import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { HostPlace } from '../host-protocol.js';
import { CodedError } from '../platform/coded-error.js';

/** Where hosts have the browser's profile, within their place. */
const PATH = ['browser', 'profile'];
/** A larger profile is not saved. Bytes, before compression. */
export const MAX_PROFILE_BYTES = 256 * 1024 * 1024;

/** What a browser makes anew, and what belongs to one run alone. Patterns of tar. */
const LEFT_OUT = [
  ...['*Cache', '*cache', 'CacheStorage', 'ScriptCache', 'Crash*', 'BrowserMetrics*', 'Singleton*'],
  ...['Safe Browsing*', 'optimization_guide*', 'segmentation_platform', 'blob_storage', 'DevToolsActivePort'],
];

/** A profile could not be packed or unpacked. */
export class ProfileArchiveError extends CodedError {
  readonly code = 'err_profile_archive';
}

/**
 * Everything that a session's browser keeps, as a tar archive; an empty one when the browser came to nothing. The files are
 * those of hostile pages' browser: they are touched as the session's user, who can reach nothing else. Throws
 * {@link ProfileArchiveError}.
 */
export async function packProfile(place: HostPlace): Promise<Buffer> {
  const directory = await profileDirectory(place);
  const exclude = LEFT_OUT.map((pattern) => `--exclude=${pattern}`);
  const tar = runAs(place, 'tar', [
    '--create',
    '--file=-',
    '--sparse',
    ...exclude,
    `--directory=${directory}`,
    '.',
  ]);
  let bytes = 0;
  tar.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_PROFILE_BYTES) tar.kill('SIGKILL');
  });
  const [archive] = await Promise.all([
    buffer(tar.stdout),
    finished(tar).catch((error: unknown) => {
      if (bytes <= MAX_PROFILE_BYTES) throw error;
      throw new ProfileArchiveError(`The profile has more than ${MAX_PROFILE_BYTES} bytes.`);
    }),
  ]);
  return archive;
}

/** Puts an archive where the browser will look for its profile. Throws {@link ProfileArchiveError}. */
export async function unpackProfile(archive: Uint8Array, place: HostPlace): Promise<void> {
  const directory = await profileDirectory(place);
  const tar = runAs(place, 'tar', [
    '--extract',
    '--file=-',
    '--no-same-permissions',
    `--directory=${directory}`,
  ]);
  // A tar that ends early is told by its exit code.
  tar.stdin.on('error', () => undefined).end(archive);
  await finished(tar);
}

async function profileDirectory(place: HostPlace): Promise<string> {
  const directory = join(place.directory, ...PATH);
  await finished(runAs(place, 'mkdir', ['-p', '-m', '700', directory]));
  return directory;
}

function runAs({ uid, gid }: HostPlace, command: string, args: string[]): ChildProcessWithoutNullStreams {
  const become = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const guard = ['--pdeathsig', 'KILL', ...become, '--no-new-privs', '--'];
  return spawn('setpriv', [...guard, command, ...args], {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    cwd: '/',
  });
}

async function finished(child: ChildProcessWithoutNullStreams): Promise<void> {
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdout.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const output = Buffer.concat(errors).toString().slice(-500);
  throw new ProfileArchiveError(`The profile's files cannot be read or written. ${output}`);
}
