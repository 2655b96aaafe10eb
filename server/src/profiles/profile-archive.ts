import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HostPlace } from '../host-protocol.js';
import { CodedError } from '../platform/coded-error.js';
import { openDirectory } from '../platform/inside.js';
import { ServiceError } from '../service-error.js';

/** Where hosts have the browser's profile, within their place. */
const PATH = ['browser', 'profile'];
/** Where a command finds the directory that it is given. */
const INHERITED = '/proc/self/fd/3';
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
 * Everything that a session's browser keeps, as the stream of a tar archive; an empty one when the browser came to nothing. The
 * files are those of hostile pages' browser: they are touched as the session's user, who can reach nothing else. The stream
 * ends only when all was read, and throws {@link ProfileArchiveError} otherwise.
 */
export async function* packProfile(place: HostPlace): AsyncGenerator<Buffer> {
  const directory = await profileDirectory(place);
  const exclude = LEFT_OUT.map((pattern) => `--exclude=${pattern}`);
  const args = ['--create', '--file=-', '--sparse', ...exclude, `--directory=${INHERITED}`, '.'];
  const tar = runAs(place, 'tar', args, directory.fd);
  const end = finished(tar);
  // Told below; without a reader of the stream nobody would wait for it.
  end.catch(() => undefined);
  try {
    // At once: Node drops what a process has written that ends while nobody reads.
    for await (const chunk of tar.stdout as AsyncIterable<Buffer>) yield chunk;
    await end;
  } finally {
    tar.kill('SIGKILL');
    await directory.close();
  }
}

/** Puts an archive where the browser will look for its profile. Throws {@link ProfileArchiveError}, or {@link ServiceError} `err_storage`. */
export async function unpackProfile(archive: AsyncIterable<Uint8Array>, place: HostPlace): Promise<void> {
  const directory = await profileDirectory(place);
  const args = ['--extract', '--file=-', '--no-same-permissions', `--directory=${INHERITED}`];
  const tar = runAs(place, 'tar', args, directory.fd);
  tar.stdout.resume();
  try {
    // A tar that ends early, or gets too little, is told by its exit code. What follows an archive's end need not be read.
    const fed = pipeline(archive, tar.stdin).catch(() => undefined);
    await Promise.all([fed, finished(tar)]);
  } finally {
    tar.kill('SIGKILL');
    await directory.close();
  }
}

/** The directory itself: a browser that somebody broke out of may have put a link to any other in its place. */
async function profileDirectory(place: HostPlace): Promise<FileHandle> {
  const directory = join(place.directory, ...PATH);
  const made = runAs(place, 'mkdir', ['-p', '-m', '700', directory]);
  made.stdout.resume();
  await finished(made);
  return openDirectory(directory).catch(() => {
    throw new ProfileArchiveError('The profile is not a directory.');
  });
}

/** @param descriptor given to the command as {@link INHERITED} */
function runAs(
  { uid, gid }: HostPlace,
  command: string,
  args: string[],
  descriptor?: number,
): ChildProcessWithoutNullStreams {
  const become = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const guard = ['--pdeathsig', 'KILL', ...become, '--no-new-privs', '--'];
  return spawn('setpriv', [...guard, command, ...args], {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', descriptor],
  }) as ChildProcessWithoutNullStreams;
}

async function finished(child: ChildProcessWithoutNullStreams): Promise<void> {
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const output = Buffer.concat(errors).toString().slice(-500);
  if (/No space left on device|Disk quota exceeded/.test(output)) throw new ServiceError('err_storage');
  throw new ProfileArchiveError(`The profile's files cannot be read or written. ${output}`);
}
