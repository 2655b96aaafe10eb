import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Storage for the files of recordings. */
export interface RecordingBlobs {
  /** Returns the size of a file in bytes. Undefined if the file does not exist. */
  size(id: string, name: string): Promise<number | undefined>;
  /** Reads a file from its byte `start` to its byte `end`, both included. */
  read(id: string, name: string, start: number, end: number): Promise<Readable>;
  /** Removes all files of a recording. */
  remove(id: string): Promise<void>;
}

/** Thrown if a file does not exist. */
export class MissingBlobError extends Error {
  override name = 'MissingBlobError';

  constructor(id: string, name: string) {
    super(`The recording ${id} has no file ${name}.`);
  }
}

/** Returns a whole file. Undefined if it does not exist. */
export async function readBlob(blobs: RecordingBlobs, id: string, name: string): Promise<Buffer | undefined> {
  const size = await blobs.size(id, name);
  if (size === undefined) return undefined;
  if (size === 0) return Buffer.alloc(0);
  return buffer(await blobs.read(id, name, 0, size - 1));
}

/** Reads files that may be moved from the first storage to the second storage at any time. */
export class MovedBlobs implements RecordingBlobs {
  constructor(
    private readonly first: RecordingBlobs,
    private readonly then: RecordingBlobs,
  ) {}

  async size(id: string, name: string): Promise<number | undefined> {
    return (await this.first.size(id, name)) ?? (await this.then.size(id, name));
  }

  async read(id: string, name: string, start: number, end: number): Promise<Readable> {
    try {
      return await this.first.read(id, name, start, end);
    } catch (error) {
      if (!(error instanceof MissingBlobError)) throw error;
      return this.then.read(id, name, start, end);
    }
  }

  async remove(id: string): Promise<void> {
    await this.then.remove(id);
    await this.first.remove(id);
  }
}

/** Returns a stream that opens its source when the stream is first read. */
export function lazily(open: () => Promise<AsyncIterable<unknown>>): Readable {
  return Readable.from(
    (async function* () {
      yield* await open();
    })(),
    { objectMode: false },
  );
}
