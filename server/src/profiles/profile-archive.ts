import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HostPlace } from '../host-protocol.js';
import type { Clock } from '../platform/time/clock.js';
import { openDirectory } from '../platform/files/inside.js';
import { INHERITED, ProfileArchiveError, WatchedTool } from './watched-tool.js';

/** Path of the browser's profile in a host's directory. */
const PATH = ['browser', 'profile'];
/**
 * Patterns of tar for files that are not saved: files that a browser creates again, and files that only a
 * running browser needs.
 */
const LEFT_OUT = [
  ...['*Cache', '*cache', 'CacheStorage', 'Crash*', 'BrowserMetrics*', 'Singleton*'],
  // Registrations of service workers. Their scripts are in a cache that is not saved. If a profile had a
  // registration without its script, Chromium could not start the worker, and would not register it again.
  'Service Worker',
  ...['Safe Browsing*', 'optimization_guide*', 'segmentation_platform', 'blob_storage', 'DevToolsActivePort'],
];
const EXCLUDE = LEFT_OUT.map((pattern) => `--exclude=${pattern}`);

/** Clock and program for packing profiles. */
export interface ArchiveTools {
  clock: Clock;
  /** The tar program. Default: the system's tar. */
  tar?: string;
}

/**
 * Packs the profile of a session's browser into a tar archive, and yields the bytes of the archive. The
 * archive is empty if the browser never started properly. The files come from a browser that visits hostile
 * pages. So tar runs as the session's user, who has no access to other files. The stream throws
 * `ProfileArchiveError` if not all files were read.
 */
export async function* packProfile(
  place: HostPlace,
  { clock, tar: command = 'tar' }: ArchiveTools,
): AsyncGenerator<Buffer> {
  const directory = await profileDirectory(place, clock);
  const args = ['--create', '--file=-', '--sparse', ...EXCLUDE, `--directory=${INHERITED}`, '.'];
  const tar = new WatchedTool(place, clock, command, args, directory.fd);
  try {
    // Starts to read immediately. If a process ends before its output is read, Node drops the output.
    const chunks = (tar.child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    // Each wait for tar's output is one step. Between two steps, while the consumer uses a chunk, the
    // watchdog does not check tar's progress.
    for (;;) {
      const next = await tar.step(chunks.next());
      if (next.done === true) break;
      yield next.value;
    }
    await tar.done();
  } finally {
    tar.stop();
    await directory.close();
  }
}

/**
 * Unpacks an archive to the directory of the browser's profile. Throws `ProfileArchiveError`, or
 * `ServiceError` `err_storage` if the disk is full.
 */
export async function unpackProfile(
  archive: AsyncIterable<Uint8Array>,
  place: HostPlace,
  { clock, tar: command = 'tar' }: ArchiveTools,
): Promise<void> {
  const directory = await profileDirectory(place, clock);
  // Older profiles may contain the excluded files, so they are excluded here as well.
  const args = ['--extract', '--file=-', '--no-same-permissions', ...EXCLUDE, `--directory=${INHERITED}`];
  const tar = new WatchedTool(place, clock, command, args, directory.fd);
  tar.child.stdout.resume();
  try {
    // Ignores errors of the pipe. If tar fails, its exit code reports the failure. The pipe also fails if tar
    // does not read the data after the end of the archive, which is harmless.
    await pipeline(taken(archive, tar), tar.child.stdin).catch(() => undefined);
    await tar.done();
  } finally {
    tar.stop();
    await directory.close();
  }
}

/**
 * Passes the parts of a stream to tar. Sending one part is one step. The step ends when tar has read the
 * part.
 */
async function* taken(archive: AsyncIterable<Uint8Array>, tar: WatchedTool): AsyncGenerator<Uint8Array> {
  for await (const part of archive) {
    let take: () => void = () => undefined;
    void tar.step(new Promise<void>((resolve) => (take = resolve)));
    yield part;
    take();
  }
}

/**
 * Opens the profile's directory. Creates the directory if necessary. Fails if the directory is a link,
 * because a compromised browser may have replaced it with a link to another directory.
 */
async function profileDirectory(place: HostPlace, clock: Clock): Promise<FileHandle> {
  const directory = join(place.directory, ...PATH);
  const made = new WatchedTool(place, clock, 'mkdir', ['-p', '-m', '700', directory]);
  made.child.stdout.resume();
  try {
    await made.done();
  } finally {
    made.stop();
  }
  return openDirectory(directory).catch(() => {
    throw new ProfileArchiveError('The profile is not a directory.');
  });
}
