import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HostPlace } from '../host-protocol.js';
import type { Clock } from '../platform/clock.js';
import { openDirectory } from '../platform/inside.js';
import { INHERITED, ProfileArchiveError, WatchedTool } from './watched-tool.js';

/** Where hosts have the browser's profile, within their place. */
const PATH = ['browser', 'profile'];
/** What a browser makes anew, and what belongs to one run alone. Patterns of tar. */
const LEFT_OUT = [
  ...['*Cache', '*cache', 'CacheStorage', 'Crash*', 'BrowserMetrics*', 'Singleton*'],
  // Workers that are registered and whose scripts are in a cache: Chromium would start none of them, nor register it again.
  'Service Worker',
  ...['Safe Browsing*', 'optimization_guide*', 'segmentation_platform', 'blob_storage', 'DevToolsActivePort'],
];
const EXCLUDE = LEFT_OUT.map((pattern) => `--exclude=${pattern}`);

/** What profiles are packed with. */
export interface ArchiveTools {
  clock: Clock;
  /** The program; by default the system's. */
  tar?: string;
}

/**
 * Everything that a session's browser keeps, as the stream of a tar archive; an empty one when the browser came to nothing. The
 * files are those of hostile pages' browser: they are touched as the session's user, who can reach nothing else. The stream
 * ends only when all was read, and throws `ProfileArchiveError` otherwise.
 */
export async function* packProfile(
  place: HostPlace,
  { clock, tar: command = 'tar' }: ArchiveTools,
): AsyncGenerator<Buffer> {
  const directory = await profileDirectory(place, clock);
  const args = ['--create', '--file=-', '--sparse', ...EXCLUDE, `--directory=${INHERITED}`, '.'];
  const tar = new WatchedTool(place, clock, command, args, directory.fd);
  try {
    // At once: Node drops what a process has written that ends while nobody reads.
    const chunks = (tar.child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    // By hand: while the reader is busy with a chunk nothing is expected of tar.
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

/** Puts an archive where the browser will look for its profile. Throws `ProfileArchiveError`, or `ServiceError` `err_storage`. */
export async function unpackProfile(
  archive: AsyncIterable<Uint8Array>,
  place: HostPlace,
  { clock, tar: command = 'tar' }: ArchiveTools,
): Promise<void> {
  const directory = await profileDirectory(place, clock);
  // Of a profile that was packed with more, that stays behind too.
  const args = ['--extract', '--file=-', '--no-same-permissions', ...EXCLUDE, `--directory=${INHERITED}`];
  const tar = new WatchedTool(place, clock, command, args, directory.fd);
  tar.child.stdout.resume();
  try {
    // A tar that ends early, or gets too little, is told by its exit code. What follows an archive's end need not be read.
    await pipeline(taken(archive, tar), tar.child.stdin).catch(() => undefined);
    await tar.done();
  } finally {
    tar.stop();
    await directory.close();
  }
}

/** Passes a stream on; a part that was given out is the program's to take. */
async function* taken(archive: AsyncIterable<Uint8Array>, tar: WatchedTool): AsyncGenerator<Uint8Array> {
  for await (const part of archive) {
    let take: () => void = () => undefined;
    void tar.step(new Promise<void>((resolve) => (take = resolve)));
    yield part;
    take();
  }
}

/** The directory itself: a browser that somebody broke out of may have put a link to any other in its place. */
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
