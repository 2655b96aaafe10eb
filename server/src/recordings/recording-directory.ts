import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rm, stat, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { RecordingPart } from '../recording-protocol.js';
import type {
  RecordingFile,
  RecordingFiles,
  RecordingSize,
  RecordingWriter,
} from '../sessions/recordings/recording-ports.js';
import type { RecordedFragment } from '../sessions/recordings/recording-record.js';
import { storeDuration, withDurationBox } from './video-duration.js';

/** Names of the files in the directory of a recording. The list of fragments has one JSON array per line. */
export const FILE_NAMES = {
  video: 'video.mp4',
  events: 'events.jsonl',
  fragments: 'fragments.jsonl',
} as const;

/** The files of recordings in a directory, with one directory each. Only the service's user can read them. */
export class RecordingDirectory implements RecordingFiles {
  private constructor(private readonly root: string) {}

  static async open(root: string): Promise<RecordingDirectory> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new RecordingDirectory(root);
  }

  async create(id: string): Promise<RecordingWriter> {
    await mkdir(join(this.root, id), { mode: 0o700 });
    const opened: FileHandle[] = [];
    try {
      for (const file of ['video', 'events', 'fragments'] as const)
        opened.push(await open(this.#path(id, file), 'a', 0o600));
    } catch (error) {
      await Promise.all(opened.map((file) => file.close()));
      await this.remove(id).catch(() => undefined);
      throw error;
    }
    const [video, events, fragments] = opened as [FileHandle, FileHandle, FileHandle];
    return new DirectoryWriter(video, events, fragments, this.#path(id, 'video'));
  }

  async repair(id: string): Promise<RecordingSize> {
    const { init, fragments } = await this.fragments(id);
    const last = fragments.at(-1);
    const video = last ? last.offset + last.size : init;
    await truncate(this.#path(id, 'video'), video).catch(ignoreMissing);
    const events = await this.#repairEvents(id);
    const seconds = last ? last.time + last.duration : 0;
    if (last) await storeDuration(this.#path(id, 'video'), init, seconds);
    return { bytes: video + events, seconds };
  }

  async fragments(id: string): Promise<{ init: number; fragments: RecordedFragment[] }> {
    const text = await readFile(this.#path(id, 'fragments'), 'utf8').catch(emptyIfMissing);
    const length = (await this.size(id, 'video')) ?? 0;
    const fragments: RecordedFragment[] = [];
    let init = 0;
    for (const line of text.split('\n')) {
      const [size, time, duration, keyFrame] = numbersOf(line);
      if (size === undefined) continue;
      const before = fragments.at(-1);
      const offset = before ? before.offset + before.size : init;
      // The bytes of this fragment were not written completely.
      if (offset + size > length) break;
      if (time === undefined || duration === undefined) init = size;
      else fragments.push({ time, duration, offset, size, keyFrame: keyFrame === 1 });
    }
    return { init, fragments };
  }

  async size(id: string, file: RecordingFile): Promise<number | undefined> {
    const found = await stat(this.#path(id, file)).catch(ignoreMissing);
    return found?.size;
  }

  read(id: string, file: RecordingFile, start: number, end: number): Readable {
    return end < start ? Readable.from([]) : createReadStream(this.#path(id, file), { start, end });
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.root, id), { recursive: true, force: true });
  }

  #path(id: string, file: keyof typeof FILE_NAMES): string {
    return join(this.root, id, FILE_NAMES[file]);
  }

  /** Removes an incomplete last line. Returns the size of the file. */
  async #repairEvents(id: string): Promise<number> {
    const path = this.#path(id, 'events');
    const content = await readFile(path).catch(ignoreMissing);
    const complete = (content?.lastIndexOf('\n') ?? -1) + 1;
    if (content && complete < content.length) await truncate(path, complete);
    return complete;
  }
}

class DirectoryWriter implements RecordingWriter {
  #video = 0;
  #events = 0;
  #seconds = 0;
  /** Size of the initialisation segment. */
  #init = 0;

  constructor(
    private readonly video: FileHandle,
    private readonly events: FileHandle,
    private readonly fragments: FileHandle,
    private readonly videoPath: string,
  ) {}

  get size(): RecordingSize {
    return { bytes: this.#video + this.#events, seconds: this.#seconds };
  }

  async write(part: RecordingPart): Promise<void> {
    if (part.type === 'event') {
      const line = Buffer.concat([part.data, Buffer.from('\n')]);
      await writeAll(this.events, line);
      this.#events += line.length;
    } else if (part.type === 'init' || part.type === 'fragment') await this.#writeVideo(part);
  }

  async close(): Promise<void> {
    // A write that failed may have left a part of a fragment.
    const cut = this.video.truncate(this.#video);
    const closed = [this.events, this.fragments, this.video].map(async (file) => {
      try {
        await cut;
        await file.sync();
      } finally {
        await file.close();
      }
    });
    // Every file is closed, also if the disk fails.
    for (const result of await Promise.allSettled(closed))
      if (result.status === 'rejected') throw result.reason;
    // The file is open for appending only, so another handle writes at the front.
    await storeDuration(this.videoPath, this.#init, this.#seconds);
  }

  async #writeVideo(part: Extract<RecordingPart, { type: 'init' | 'fragment' }>): Promise<void> {
    const data = part.type === 'init' ? withDurationBox(part.data) : part.data;
    await writeAll(this.video, data);
    // After a crash, the file plays up to here.
    await this.video.datasync();
    const { length } = data;
    const line = part.type === 'init' ? [length] : [length, part.time, part.duration, part.keyFrame ? 1 : 0];
    await writeAll(this.fragments, Buffer.from(`${JSON.stringify(line)}\n`));
    this.#video += length;
    if (part.type === 'init') this.#init = length;
    if (part.type === 'fragment') this.#seconds = Math.max(this.#seconds, part.time + part.duration);
  }
}

/** Writes all bytes. A full disk may take a part of them without an error. */
async function writeAll(file: FileHandle, data: Buffer): Promise<void> {
  for (let at = 0; at < data.length;) at += (await file.write(data, at)).bytesWritten;
}

function numbersOf(line: string): number[] {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) && value.every((item) => typeof item === 'number') ? value : [];
  } catch {
    // The last line of a killed service may be incomplete.
    return [];
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function emptyIfMissing(error: unknown): string {
  ignoreMissing(error);
  return '';
}
