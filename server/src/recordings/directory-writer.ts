import { open, type FileHandle } from 'node:fs/promises';
import type { RecordingPart } from '../recording-protocol.js';
import type { RecordingSize, RecordingWriter } from '../sessions/recordings/recording-ports.js';
import { lineOf, LIVE_LINE, SEALED_LINE, type ListedPart } from './fragment-list.js';
import { FILE_NAMES } from './recording-files.js';
import { RecordingCipher } from './sealed/recording-cipher.js';
import { EventSealer } from './sealed/sealed-events.js';
import { VideoSealer } from './sealed/sealed-video.js';
import { storeDuration, withDurationBox } from './boxes/video-duration.js';
import { appendPieces, writeAll } from '../platform/files/write-all.js';

/** Encryption of the parts of a recording. */
interface Sealers {
  video: VideoSealer;
  events: EventSealer;
}

/** Writes the files of one recording. Encrypts the files if a key is given. */
export class DirectoryWriter implements RecordingWriter {
  #video = 0;
  #events = 0;
  #seconds = 0;
  /** Size of the initialisation segment. */
  #init = 0;

  private constructor(
    private readonly files: Readonly<Record<'video' | 'events' | 'fragments', FileHandle>>,
    private readonly videoPath: string,
    private readonly sealers: Sealers | undefined,
  ) {}

  /** Creates the files. If a file cannot be created, closes the others. */
  static async create(
    id: string,
    pathOf: (name: string) => string,
    key: Uint8Array | undefined,
  ): Promise<DirectoryWriter> {
    const opened: FileHandle[] = [];
    const openFile = async (name: string) => {
      const file = await open(pathOf(name), 'a', 0o600);
      opened.push(file);
      return file;
    };
    try {
      const files = {
        video: await openFile(FILE_NAMES.live),
        events: await openFile(FILE_NAMES.events),
        fragments: await openFile(FILE_NAMES.fragments),
      };
      await writeAll(files.fragments, Buffer.from(`${key ? SEALED_LINE : ''}${LIVE_LINE}`));
      return new DirectoryWriter(files, pathOf(FILE_NAMES.live), key && sealersOf(id, key));
    } catch (error) {
      await Promise.all(opened.map((file) => file.close()));
      throw error;
    }
  }

  get size(): RecordingSize {
    return { bytes: this.#video + this.#events, seconds: this.#seconds };
  }

  async write(part: RecordingPart): Promise<void> {
    if (part.type === 'event') {
      const line = Buffer.concat([part.data, Buffer.from('\n')]);
      const bytes = this.sealers?.events.seal(line) ?? line;
      await writeAll(this.files.events, bytes);
      this.#events += bytes.length;
    } else if (part.type === 'init' || part.type === 'fragment') await this.#writeVideo(part);
  }

  async close(): Promise<void> {
    const { video, events, fragments } = this.files;
    // Removes an incomplete fragment or event that a failed write may have left.
    const sizes = new Map([
      [video, this.#video],
      [events, this.#events],
    ]);
    const closed = [events, fragments, video].map(async (file) => {
      try {
        const size = sizes.get(file);
        if (size !== undefined) await file.truncate(size);
        await file.sync();
      } finally {
        await file.close();
      }
    });
    // Waits until every file is closed, even if the disk fails.
    for (const result of await Promise.allSettled(closed))
      if (result.status === 'rejected') throw result.reason;
    // The open file can only append, so `storeDuration` opens it again to write near its start.
    if (!this.sealers) await storeDuration(this.videoPath, this.#init, this.#seconds);
  }

  async #writeVideo(part: Extract<RecordingPart, { type: 'init' | 'fragment' }>): Promise<void> {
    const data = part.type === 'init' ? withDurationBox(part.data) : part.data;
    const pieces = this.sealers?.video.seal(data) ?? [data];
    await appendPieces(this.files.video, pieces);
    // Syncs the part before it is listed, so that the list names only parts that are on the disk.
    await this.files.video.datasync();
    const { length: size } = data;
    const listed: ListedPart = part.type === 'init' ? { type: 'init', size } : { ...part, size };
    await writeAll(this.files.fragments, Buffer.from(lineOf(listed)));
    this.#video += pieces.reduce((sum, { length }) => sum + length, 0);
    if (part.type === 'init') this.#init = size;
    else this.#seconds = Math.max(this.#seconds, part.time + part.duration);
  }
}

function sealersOf(id: string, key: Uint8Array): Sealers {
  const cipherOf = (name: string) => RecordingCipher.create(key, { id, name });
  return {
    video: new VideoSealer(cipherOf(FILE_NAMES.live)),
    events: new EventSealer(cipherOf(FILE_NAMES.events)),
  };
}
