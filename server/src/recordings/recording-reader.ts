import { buffer } from 'node:stream/consumers';
import type { RecordingFile } from '../sessions/recordings/recording-ports.js';
import {
  firstParts,
  listedBytes,
  listedSeconds,
  partSizes,
  withinBytes,
  type FragmentList,
} from './fragment-list.js';
import { readBlob, type RecordingBlobs } from './blobs/recording-blobs.js';
import { FILE_NAMES, fileNameOf } from './recording-files.js';
import { HEAD_BYTES, RecordingCipher } from './sealed/recording-cipher.js';
import { openEvents, type OpenedEvents } from './sealed/sealed-events.js';
import { partsWithin, readSealedVideo, sealedBytes } from './sealed/sealed-video.js';
import { withDuration } from './boxes/video-duration.js';

/** Range of bytes. It includes the byte `end`. */
interface Range {
  start: number;
  end: number;
}

/** Reads the files of one recording. */
export interface RecordingReader {
  /** All parts of the video that the list names. The video file may not contain the last part completely. */
  readonly listed: FragmentList;
  /** Returns the parts that the video file contains completely. */
  list(): Promise<FragmentList>;
  /** Returns the number of bytes that the complete parts take in the stored file. */
  storedBytes(file: RecordingFile): Promise<number>;
  size(file: RecordingFile): Promise<number | undefined>;
  read(file: RecordingFile, range: Range): AsyncIterable<unknown>;
}

/** Reads the files of a recording that is not encrypted. */
export class PlainReader implements RecordingReader {
  #size: number | undefined;

  constructor(
    private readonly blobs: RecordingBlobs,
    private readonly id: string,
    readonly listed: FragmentList,
  ) {}

  async list(): Promise<FragmentList> {
    return withinBytes(this.listed, (await this.size('video')) ?? 0);
  }

  async storedBytes(file: RecordingFile): Promise<number> {
    if (file === 'video') return listedBytes(await this.list());
    const content = await readBlob(this.blobs, this.id, FILE_NAMES.events);
    return (content?.lastIndexOf('\n') ?? -1) + 1;
  }

  async size(file: RecordingFile): Promise<number | undefined> {
    const { id, blobs, listed } = this;
    if (file === 'video' && this.#size !== undefined) return this.#size;
    const size = await blobs.size(id, fileNameOf(file, listed));
    if (file === 'video' && !listed.live) this.#size = size;
    return size;
  }

  async *read(file: RecordingFile, { start, end }: Range): AsyncIterable<unknown> {
    yield* await this.blobs.read(this.id, fileNameOf(file, this.listed), start, end);
  }
}

/** Reads the files of an encrypted recording. */
export class SealedReader implements RecordingReader {
  /** Ciphers by file name. The cipher of a file never changes. */
  readonly #ciphers = new Map<string, RecordingCipher>();
  /** The complete parts of a video that no longer grows. */
  #complete: FragmentList | undefined;

  constructor(
    private readonly blobs: RecordingBlobs,
    private readonly id: string,
    readonly listed: FragmentList,
    private readonly key: Uint8Array,
  ) {}

  async list(): Promise<FragmentList> {
    if (this.#complete) return this.#complete;
    const length = (await this.blobs.size(this.id, this.#videoName)) ?? 0;
    const list = firstParts(this.listed, partsWithin(partSizes(this.listed), length));
    if (!this.listed.live && list.init > 0) this.#complete = list;
    return list;
  }

  async storedBytes(file: RecordingFile): Promise<number> {
    if (file === 'events') return (await this.#events())?.sealedBytes ?? 0;
    const sizes = partSizes(await this.list());
    return sizes.length === 0 ? 0 : sealedBytes(sizes);
  }

  async size(file: RecordingFile): Promise<number | undefined> {
    if (file === 'events') return (await this.#events())?.lines.length;
    // Reads the cipher first, so that a wrong key causes an error before the HTTP response begins.
    if (!(await this.#cipher('video'))) return this.blobs.size(this.id, this.#videoName);
    return listedBytes(await this.list());
  }

  async *read(file: RecordingFile, { start, end }: Range): AsyncIterable<unknown> {
    if (file === 'events') {
      yield (await this.#events())?.lines.subarray(start, end + 1) ?? Buffer.alloc(0);
      return;
    }
    const cipher = await this.#cipher('video');
    if (!cipher) return;
    const list = await this.list();
    const sizes = partSizes(list);
    const readChunks = (range: Range) =>
      readSealedVideo(sizes, range, cipher, (from, to) =>
        this.blobs.read(this.id, this.#videoName, from, to),
      );
    if (start < list.init) {
      // The initialisation segment of an encrypted live video does not contain the duration. To store the
      // duration there, the service would have to encrypt the segment again. So the reader adds the duration.
      const init = await buffer(readChunks({ start: 0, end: list.init - 1 }));
      yield withDuration(init, listedSeconds(list)).subarray(start, end + 1);
    }
    if (end >= list.init) yield* readChunks({ start: Math.max(start, list.init), end });
  }

  get #videoName(): string {
    return fileNameOf('video', this.listed);
  }

  async #events(): Promise<OpenedEvents | undefined> {
    const cipher = await this.#cipher('events');
    if (!cipher) return undefined;
    const content = await readBlob(this.blobs, this.id, FILE_NAMES.events);
    return openEvents(content ?? Buffer.alloc(0), cipher);
  }

  /** Returns the cipher of a file. Undefined if the head of the file is not written yet. */
  async #cipher(file: RecordingFile): Promise<RecordingCipher | undefined> {
    const { id, blobs } = this;
    const name = fileNameOf(file, this.listed);
    const known = this.#ciphers.get(name);
    if (known) return known;
    if (((await blobs.size(id, name)) ?? 0) < HEAD_BYTES) return undefined;
    const head = await buffer(await blobs.read(id, name, 0, HEAD_BYTES - 1));
    const cipher = RecordingCipher.open(this.key, { id, name }, head);
    this.#ciphers.set(name, cipher);
    return cipher;
  }
}
