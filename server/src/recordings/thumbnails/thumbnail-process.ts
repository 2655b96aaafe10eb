import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { guardedCommand, NO_CORE } from '../../platform/process/guarded-command.js';
import { packageFile } from '../../platform/files/package-files.js';
import { withTimeout } from '../../platform/time/timeout.js';
import type { PictureOrder, PictureReader } from '../../sessions/recordings/thumbnails.js';

/** Milliseconds after which the thumbnail program is killed if it has not returned a picture. */
const ANSWER_MS = 10_000;
/** Maximum size of a picture in bytes. */
const MAX_JPEG_BYTES = 8 * 1024 * 1024;
/** Limits of the program: 20 seconds of processor time, no bytes written to files, and no core dump. */
const LIMITS = ['--cpu=20', '--fsize=0', NO_CORE, '--'];
/** User of the program if the service is root. This user owns no files. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Path of the program in the build. */
export const THUMBNAIL_PROGRAM = packageFile('dist', 'recordings', 'thumbnails', 'main.js');

/** Thrown if a picture of a recording could not be read. */
export class ThumbnailError extends Error {
  override name = 'ThumbnailError';
}

/**
 * Returns a reader that decodes each picture in an unprivileged process. A session's user may have created
 * the video, so no decoder runs inside the service.
 *
 * @param command command of the program. Tests run another program
 * @param limit timeout for one picture in milliseconds
 */
export function thumbnailReader(
  command: readonly string[] = [process.execPath, THUMBNAIL_PROGRAM],
  limit = ANSWER_MS,
): PictureReader {
  return (video, order) => readPicture(video, order, command, limit);
}

async function readPicture(
  video: Readable,
  { seconds, width }: PictureOrder,
  command: readonly string[],
  limit: number,
): Promise<Buffer> {
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const guarded = guardedCommand([...command, `${seconds}`, `${width}`], user);
  const child = spawn('prlimit', [...LIMITS, ...guarded], {
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let failure = '';
  child.stderr.on('data', (text: Buffer) => (failure = (failure + String(text)).slice(-500)));
  // Ignores errors, because the program closes its input as soon as it has the picture.
  pipeline(video, child.stdin, () => undefined);
  const answer = Promise.all([collect(child.stdout), ended]).then(([jpeg]) => jpeg);
  answer.catch(() => undefined);
  try {
    const jpeg = await withTimeout(answer, limit, () => undefined);
    if (!jpeg) throw new ThumbnailError('The picture was not read in time.');
    if (child.exitCode !== 0) throw new ThumbnailError(failure || 'The thumbnail program was killed.');
    return jpeg;
  } finally {
    video.destroy();
    child.kill('SIGKILL');
  }
}

async function collect(output: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  output.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_JPEG_BYTES) output.destroy(new ThumbnailError('The picture is too large.'));
    else chunks.push(chunk);
  });
  await finished(output);
  return Buffer.concat(chunks);
}
