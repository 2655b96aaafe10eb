import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ignoreMissing } from '../../platform/files/ignore-missing.js';
import { MissingBlobError, type RecordingBlobs } from './recording-blobs.js';

/**
 * Number of bytes that are read at a time. It is larger than one chunk of an encrypted video (64 KB and a few
 * bytes).
 */
const READ_BYTES = 128 * 1024;

/** Files of recordings on the disk, with one directory for each recording. */
export class LocalBlobs implements RecordingBlobs {
  constructor(private readonly root: string) {}

  /** Returns the path of a file. */
  path(id: string, name: string): string {
    return join(this.root, id, name);
  }

  /** Returns the directory of a recording. */
  directory(id: string): string {
    return join(this.root, id);
  }

  /** Returns the names of the files of a recording. Empty if the recording has no files here. */
  async names(id: string): Promise<string[]> {
    return (await readdir(this.directory(id)).catch(ignoreMissing)) ?? [];
  }

  async size(id: string, name: string): Promise<number | undefined> {
    return (await stat(this.path(id, name)).catch(ignoreMissing))?.size;
  }

  async read(id: string, name: string, start: number, end: number): Promise<Readable> {
    // Opens the file first. An open file can be read to its end, even if it is removed meanwhile.
    const file = await open(this.path(id, name)).catch(ignoreMissing);
    if (!file) throw new MissingBlobError(id, name);
    return file.createReadStream({ start, end, highWaterMark: READ_BYTES });
  }

  async remove(id: string): Promise<void> {
    await rm(this.directory(id), { recursive: true, force: true });
  }
}
