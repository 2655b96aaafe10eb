import { CHUNK_OVERHEAD, HEAD_BYTES, type RecordingCipher } from './recording-cipher.js';

/** Number of bytes of content in a chunk. Only the last chunk of a part may have fewer bytes. */
export const CHUNK_BYTES = 65_536;

/** Encrypts the parts of a video one after the other. No chunk contains bytes of two parts. */
export class VideoSealer {
  #number = 0;

  constructor(private readonly cipher: RecordingCipher) {}

  /**
   * Returns the bytes to append for a part, in pieces. The pieces of the first part begin with the head of
   * the file.
   */
  seal(part: Buffer): Buffer[] {
    const head = this.#number === 0 ? [this.cipher.head] : [];
    const sealed = sealToPieces(this.cipher, this.#number, part);
    this.#number += chunksIn(part.length);
    return [...head, ...sealed];
  }
}

/**
 * Encrypts a part, or a piece of a part that consists of whole chunks. The first chunk has the number
 * `first`.
 */
export function sealPart(cipher: RecordingCipher, first: number, part: Buffer): Buffer {
  return Buffer.concat(sealToPieces(cipher, first, part));
}

function sealToPieces(cipher: RecordingCipher, first: number, part: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let nth = 0; nth < chunksIn(part.length); nth++) {
    const at = nth * CHUNK_BYTES;
    pieces.push(...cipher.encryptToPieces(first + nth, part.subarray(at, at + CHUNK_BYTES)));
  }
  return pieces;
}

/**
 * Returns the number of parts that a sealed file of this length contains completely. `sizes`: sizes of the
 * decrypted parts.
 */
export function partsWithin(sizes: readonly number[], length: number): number {
  let end = HEAD_BYTES;
  const over = sizes.findIndex((size) => (end += sealedSize(size)) > length);
  return over < 0 ? sizes.length : over;
}

/** Returns the number of bytes of a sealed file with these parts. */
export function sealedBytes(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + sealedSize(size), HEAD_BYTES);
}

/** A chunk of a file. `start` is the position of its content in the decrypted file. */
interface Chunk {
  number: number;
  start: number;
  size: number;
  /** Position of the chunk in the sealed file. */
  offset: number;
}

/** Decrypts the bytes `start` to `end`, both included, of a video with parts of these sizes. */
export async function* readSealedVideo(
  sizes: readonly number[],
  { start, end }: { start: number; end: number },
  cipher: RecordingCipher,
  read: (start: number, end: number) => Promise<AsyncIterable<unknown>>,
): AsyncGenerator<Buffer> {
  // Computes each chunk only when it is about to be read. A player often requests all bytes up to the end of
  // a long file, and then closes the connection early.
  const chunks = chunksOf(sizes, start, end);
  const [last] = chunksOf(sizes, end, end);
  let chunk = nextOf(chunks);
  if (!chunk) return;
  let held = Buffer.alloc(0);
  const stop = last ? last.offset + last.size + CHUNK_OVERHEAD : sealedBytes(sizes);
  const source = await read(chunk.offset, stop - 1);
  for await (const bytes of source) {
    held = Buffer.concat([held, Buffer.from(bytes as Uint8Array)]);
    for (; chunk && held.length >= chunk.size + CHUNK_OVERHEAD; chunk = nextOf(chunks)) {
      const sealed = held.subarray(0, chunk.size + CHUNK_OVERHEAD);
      held = held.subarray(sealed.length);
      const content = cipher.decrypt(chunk.number, sealed);
      if (!content) throw new Error('A chunk of a sealed recording is damaged.');
      yield content.subarray(Math.max(0, start - chunk.start), Math.max(0, end + 1 - chunk.start));
    }
  }
  if (chunk) throw new Error('A sealed recording is incomplete.');
}

function nextOf(chunks: Iterator<Chunk, unknown>): Chunk | undefined {
  const next = chunks.next();
  return next.done === true ? undefined : next.value;
}

/** Returns the chunks that contain the bytes `from` to `to`. */
function* chunksOf(sizes: readonly number[], from: number, to: number): Generator<Chunk> {
  let [number, start, offset] = [0, 0, HEAD_BYTES];
  for (const size of sizes) {
    const isWanted = start + size > from && start <= to;
    for (let at = 0; isWanted && at < size; at += CHUNK_BYTES) {
      const nth = at / CHUNK_BYTES;
      const chunk: Chunk = {
        ...{ number: number + nth, start: start + at, size: Math.min(CHUNK_BYTES, size - at) },
        offset: offset + at + nth * CHUNK_OVERHEAD,
      };
      if (chunk.start + chunk.size > from && chunk.start <= to) yield chunk;
    }
    if (start > to) return;
    number += chunksIn(size);
    start += size;
    offset += sealedSize(size);
  }
}

/** Returns the number of bytes that a part of this size takes in the sealed file. */
function sealedSize(size: number): number {
  return size + chunksIn(size) * CHUNK_OVERHEAD;
}

/** Returns the number of chunks of a part of this size. */
export function chunksIn(size: number): number {
  return Math.ceil(size / CHUNK_BYTES);
}
