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
  // Registrations of workers. Their scripts are in a cache that is not saved. Without the scripts Chromium
  // would not start the workers, and would not register them again.
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
 * Packs the data of a session's browser as the stream of a tar archive. The archive is empty if the browser
 * never started properly. The files come from a browser that visits hostile pages. So tar runs as the
 * session's user, who has no access to other files. The stream throws `ProfileArchiveError` if not all files
 * were read.
 */
export async function* packProfile(
  place: HostPlace,
  { clock, tar: command = 'tar' }: ArchiveTools,
): AsyncGenerator<Buffer> {
  const directory = await profileDirectory(place, clock);
  const args = ['--create', '--file=-', '--sparse', ...EXCLUDE, `--directory=${INHERITED}`, '.'];
  const tar = new WatchedTool(place, clock, command, args, directory.fd);
  try {
    // Starts to read immediately, because Node drops the output of a process that ends before it has a
    // reader.
    const chunks = (tar.child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    // Calls `next` directly, so that tar's progress is not checked while the consumer is busy with a chunk.
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
 * `ServiceError` `err_storage`.
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
    // Ignores errors of the pipe. If tar fails, its exit code reports that. Data after the end of the archive
    // may stay unread.
    await pipeline(taken(archive, tar), tar.child.stdin).catch(() => undefined);
    await tar.done();
  } finally {
    tar.stop();
    await directory.close();
  }
}

/** Passes a stream on. Each part is a step of the program, which ends when the program has read the part. */
async function* taken(archive: AsyncIterable<Uint8Array>, tar: WatchedTool): AsyncGenerator<Uint8Array> {
  for await (const part of archive) {
    let take: () => void = () => undefined;
    void tar.step(new Promise<void>((resolve) => (take = resolve)));
    yield part;
    take();
  }
}

/**
 * Opens the profile's directory. Fails if it is a link, because a compromised browser may have replaced it
 * with a link to another directory.
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
