import { Readable } from 'node:stream';
import type { Log } from '../../platform/log.js';
import { Lanes } from '../../platform/time/lanes.js';
import { ServiceError } from '../../service-error.js';
import type { RecordingFiles } from './recording-ports.js';
import type { RecordedFragment } from './recording-record.js';

/** Maximum number of pictures that are read at the same time, each in its own process. */
const MAX_RUNNING = 2;
/** Limit of requests that wait for one of these processes. */
const MAX_WAITING = 30;
/**
 * Maximum number of unfinished requests for pictures of one recording. So the holder of a token of one
 * recording cannot take the places of all other recordings.
 */
const MAX_OF_RECORDING = 16;
/**
 * Maximum number of bytes from the key frame to the picture. If there are more bytes, an earlier picture is
 * returned. The fragment with the key frame is always read, even if it is larger. In a finished video, this
 * fragment contains all pictures until the next key frame, and is large in `sharp` mode. In this case, only
 * the deadline of the program that reads pictures limits the work.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/** Limit of pictures that are kept in memory. */
const MAX_KEPT = 100;

/** Position and width of a requested picture of a video. */
export interface PictureOrder {
  seconds: number;
  /** Largest width in pixels. */
  width: number;
}

/**
 * Returns the requested picture of a video as JPEG. Rejects if the video has no picture, or if reading takes
 * too long.
 */
export type PictureReader = (video: Readable, order: PictureOrder) => Promise<Buffer>;

/** Reads pictures of recordings, a few at a time. */
export class Thumbnails {
  readonly #lanes = new Lanes(MAX_RUNNING);
  /** The most recently requested pictures of complete recordings. The newest request is at the end. */
  readonly #kept = new Map<string, Promise<Buffer>>();

  /** Number of unfinished requests by recording. */
  readonly #unfinished = new Map<string, number>();

  constructor(
    private readonly files: Pick<RecordingFiles, 'fragments' | 'read'>,
    private readonly read: PictureReader,
    private readonly log: Log,
  ) {}

  /**
   * Returns a picture as JPEG. Throws {@link ServiceError} if nothing is recorded yet, or if too many
   * requests wait.
   *
   * @param complete true if the recording does not grow
   */
  async of(id: string, order: PictureOrder, complete: boolean): Promise<Buffer> {
    if (!complete) return this.#make(id, order);
    const key = `${id} ${order.seconds} ${order.width}`;
    const kept = this.#kept.get(key) ?? this.#make(id, order);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    try {
      return await kept;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  async #make(id: string, order: PictureOrder): Promise<Buffer> {
    const own = this.#unfinished.get(id) ?? 0;
    if (own >= MAX_OF_RECORDING || this.#lanes.waiting >= MAX_WAITING)
      throw new ServiceError('err_no_thumbnail');
    this.#unfinished.set(id, own + 1);
    try {
      return await this.#lanes.run(() => this.#readPicture(id, order));
    } finally {
      const left = (this.#unfinished.get(id) ?? 1) - 1;
      if (left > 0) this.#unfinished.set(id, left);
      else this.#unfinished.delete(id);
    }
  }

  async #readPicture(id: string, order: PictureOrder): Promise<Buffer> {
    try {
      const { init, fragments } = await this.files.fragments(id);
      const part = partUntil(fragments, order.seconds);
      if (!part) throw new ServiceError('err_not_found', 'picture in this recording');
      const read = (start: number, end: number) => this.files.read(id, 'video', start, end - 1);
      return await this.read(Readable.from(joined(read, init, part)), order);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.log.warn('could not read a picture of a recording', { recording: id, error });
      throw new ServiceError('err_no_thumbnail');
    }
  }
}

/**
 * Returns the byte range from the key frame before a time to the end of the fragment that contains the time.
 */
function partUntil(
  fragments: readonly RecordedFragment[],
  seconds: number,
): { start: number; end: number } | undefined {
  const last = Math.max(
    0,
    fragments.findLastIndex(({ time }) => time <= seconds),
  );
  const first = fragments.slice(0, last + 1).findLastIndex(({ keyFrame }) => keyFrame);
  const start = fragments[first]?.offset;
  if (start === undefined) return undefined;
  const parts = fragments
    .slice(first, last + 1)
    .filter(({ offset, size }, nth) => nth === 0 || offset + size - start <= MAX_BYTES);
  const end = parts.at(-1);
  return end && { start, end: end.offset + end.size };
}

async function* joined(
  read: (start: number, end: number) => Readable,
  init: number,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  yield* read(0, init) as AsyncIterable<Buffer>;
  yield* read(start, end) as AsyncIterable<Buffer>;
}
