import { mkdir, rm, truncate } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ServiceError } from '../service-error.js';
import { ignoreMissing } from '../platform/files/ignore-missing.js';
import { makeDirectory } from '../platform/files/make-directory.js';
import type {
  RecordingFile,
  RecordingFiles,
  RecordingSize,
  RecordingWriter,
} from '../sessions/recordings/recording-ports.js';
import { DirectoryWriter } from './directory-writer.js';
import { listedSeconds, readFragmentList, type FragmentList } from './fragment-list.js';
import { KnownReaders } from './known-readers.js';
import { LocalBlobs } from './blobs/local-blobs.js';
import { lazily, MovedBlobs, readBlob, type RecordingBlobs } from './blobs/recording-blobs.js';
import { replaceByIndexed } from './indexed/replace-video.js';
import { FILE_NAMES, fileNameOf } from './recording-files.js';
import { PlainReader, SealedReader, type RecordingReader } from './recording-reader.js';
import { storeDuration } from './boxes/video-duration.js';

/**
 * Bytes that must stay free on the disk for running recordings. A video is copied to add an index, and the
 * copy must leave this space.
 */
const SPARE_BYTES = 256 * 1024 * 1024;

/** Store to which complete recordings are moved. */
export interface RecordingStore extends RecordingBlobs {
  /** Copies a local file to the store. `path`: path of the local file. */
  put(id: string, name: string, path: string): Promise<void>;
}

/** Options of a {@link RecordingDirectory}. */
export interface RecordingDirectoryOptions {
  store?: RecordingStore | undefined;
  /** Key of encrypted recordings, 32 bytes. */
  key: Uint8Array;
  /** True to encrypt new recordings. */
  encrypts: boolean;
  /** Bytes that must stay free on the disk when a video is copied to add an index. Default: 256 MB. */
  spareBytes?: number | undefined;
}

/**
 * The files of recordings in a directory, with one subdirectory for each recording. Only the service's user
 * can read them. If there is a store, complete recordings are moved to the store. Then the directory contains
 * only recordings that are not complete.
 */
export class RecordingDirectory implements RecordingFiles {
  readonly #local: LocalBlobs;
  readonly #blobs: RecordingBlobs;
  readonly #known = new KnownReaders();
  /** Streams that are not read to their end, by recording. */
  readonly #reads = new Map<string, Set<Readable>>();

  private constructor(
    root: string,
    private readonly options: RecordingDirectoryOptions,
  ) {
    const { store } = options;
    this.#local = new LocalBlobs(root);
    this.#blobs = store ? new MovedBlobs(this.#local, store) : this.#local;
  }

  static async open(root: string, options: RecordingDirectoryOptions): Promise<RecordingDirectory> {
    await makeDirectory(root);
    return new RecordingDirectory(root, options);
  }

  get moves(): boolean {
    return this.options.store !== undefined;
  }

  async create(id: string): Promise<RecordingWriter> {
    const { key, encrypts } = this.options;
    await mkdir(this.#local.directory(id), { mode: 0o700 });
    try {
      return await DirectoryWriter.create(
        id,
        (name) => this.#local.path(id, name),
        encrypts ? key : undefined,
      );
    } catch (error) {
      await this.#local.remove(id).catch(() => undefined);
      throw error;
    }
  }

  async repair(id: string): Promise<RecordingSize> {
    const reader = await this.#newReader(id);
    const list = await reader.list();
    const seconds = listedSeconds(list);
    const [video, events] = [await reader.storedBytes('video'), await reader.storedBytes('events')];
    const names = await this.#local.names(id);
    // Without local files, there is nothing to repair: the recording was moved to its store, or its files are
    // lost.
    if (names.length > 0) {
      const used = usedNames(list);
      for (const name of names.filter((found) => !used.includes(found)))
        await rm(this.#local.path(id, name), { force: true });
      const path = this.#local.path(id, fileNameOf('video', list));
      await truncate(path, video).catch(ignoreMissing);
      await truncate(this.#local.path(id, FILE_NAMES.events), events).catch(ignoreMissing);
      if (!list.sealed && seconds > 0) await storeDuration(path, list.init, seconds);
    }
    return { bytes: video + events, seconds };
  }

  async index(id: string, signal: AbortSignal): Promise<number> {
    const { key, spareBytes = SPARE_BYTES } = this.options;
    const reader = await this.#newReader(id);
    return replaceByIndexed({ local: this.#local, id, reader, key, spareBytes, signal });
  }

  async move(id: string): Promise<boolean> {
    const names = await this.#local.names(id);
    const { store } = this.options;
    if (!store) return names.length > 0;
    // Without local files, the recording was moved before the service was killed, or its disk was lost.
    if (names.length === 0) return (await store.size(id, FILE_NAMES.fragments)) !== undefined;
    // The list of fragments is uploaded last. So a recording whose list is in the store is complete there.
    for (const name of usedNames(await this.fragments(id)))
      if (names.includes(name)) await store.put(id, name, this.#local.path(id, name));
    await this.#local.remove(id);
    return true;
  }

  async fragments(id: string): Promise<FragmentList> {
    return (await this.#reader(id)).list();
  }

  async size(id: string, file: RecordingFile): Promise<number | undefined> {
    return (await this.#reader(id)).size(file);
  }

  read(id: string, file: RecordingFile, start: number, end: number): Readable {
    if (end < start) return Readable.from([]);
    const stream = lazily(async () => (await this.#reader(id)).read(file, { start, end }));
    const reads = this.#reads.get(id) ?? new Set();
    this.#reads.set(id, reads.add(stream));
    stream.once('close', () => {
      reads.delete(stream);
      if (reads.size === 0) this.#reads.delete(id);
    });
    // A stream without a reader must not end the process with its error.
    stream.on('error', () => undefined);
    return stream;
  }

  async remove(id: string): Promise<void> {
    await this.#blobs.remove(id);
    this.#known.forget(id);
    // An open file can be read after its removal. So a response to a player would continue to the end of the
    // video. The player requests the rest again, and learns that the recording is gone.
    const gone = new ServiceError('err_not_found', 'recording with this id');
    for (const stream of this.#reads.get(id) ?? []) stream.destroy(gone);
  }

  async #reader(id: string): Promise<RecordingReader> {
    const known = this.#known.get(id);
    if (known) return known;
    const reader = await this.#newReader(id);
    // Keeps only readers of videos with an index, because these files never change. A live video grows, and a
    // file with an index later replaces it.
    const { live, init, fragments } = reader.listed;
    if (!live && init > 0) this.#known.add(id, reader, fragments.length);
    return reader;
  }

  async #newReader(id: string): Promise<RecordingReader> {
    const text = (await readBlob(this.#blobs, id, FILE_NAMES.fragments)) ?? '';
    const list = readFragmentList(String(text));
    const { key } = this.options;
    return list.sealed
      ? new SealedReader(this.#blobs, id, list, key)
      : new PlainReader(this.#blobs, id, list);
  }
}

/** Returns the names of the files that a recording uses. A crash may leave other files. */
function usedNames(list: FragmentList): string[] {
  return [fileNameOf('video', list), FILE_NAMES.events, FILE_NAMES.fragments];
}
