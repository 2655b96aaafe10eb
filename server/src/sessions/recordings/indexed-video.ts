import { Readable } from 'node:stream';
import type { RecordingFiles } from './recording-ports.js';
import { indexedInit } from './video-index.js';

/** Maximum number of recordings whose index is kept in memory. Players send many requests for one video. */
const MAX_KEPT = 32;

interface Front {
  /** Replaces the first `replaced` bytes of the file. */
  bytes: Buffer;
  replaced: number;
}

/** Videos of complete recordings, with an index that is made of the list of fragments. */
export class IndexedVideos {
  readonly #fronts = new Map<string, Promise<Front>>();

  constructor(private readonly files: RecordingFiles) {}

  /** Size of the video in bytes. Undefined if there is none. */
  async size(id: string): Promise<number | undefined> {
    const size = await this.files.size(id, 'video');
    if (size === undefined) return undefined;
    const { bytes, replaced } = await this.#front(id);
    return size - replaced + bytes.length;
  }

  /** Reads the video from its byte `start` to its byte `end`, both included. */
  async read(id: string, start: number, end: number): Promise<Readable> {
    const { bytes, replaced } = await this.#front(id);
    const shift = replaced - bytes.length;
    if (start >= bytes.length) return this.files.read(id, 'video', start + shift, end + shift);
    const front = bytes.subarray(start, end + 1);
    if (end < bytes.length) return Readable.from([front]);
    const rest = this.files.read(id, 'video', replaced, end + shift);
    return Readable.from(joined(front, rest));
  }

  /** Forgets a recording that was removed. */
  forget(id: string): void {
    this.#fronts.delete(id);
  }

  #front(id: string): Promise<Front> {
    const kept = this.#fronts.get(id);
    if (kept) return kept;
    const made = this.#make(id);
    this.#fronts.set(id, made);
    made.catch(() => this.#fronts.delete(id));
    const [oldest] = this.#fronts.keys();
    if (this.#fronts.size > MAX_KEPT && oldest !== undefined) this.#fronts.delete(oldest);
    return made;
  }

  async #make(id: string): Promise<Front> {
    const { init, fragments } = await this.files.fragments(id);
    const parts: Uint8Array[] = [];
    for await (const part of this.files.read(id, 'video', 0, init - 1)) parts.push(part as Uint8Array);
    return { bytes: indexedInit(Buffer.concat(parts), fragments), replaced: init };
  }
}

async function* joined(front: Buffer, rest: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield front;
    for await (const part of rest) yield part as Uint8Array;
  } finally {
    rest.destroy();
  }
}
