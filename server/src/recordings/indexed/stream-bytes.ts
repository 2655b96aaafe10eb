import { VideoIndexError } from '../boxes/boxes.js';

/** Reads the bytes of a stream in the lengths that a caller requests. */
export class StreamBytes {
  readonly #source: AsyncIterator<unknown>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<unknown>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Resolves to the next `count` bytes. Rejects with {@link VideoIndexError} if the stream ends earlier. */
  async take(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pass(count)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Yields the next `count` bytes in the pieces in which the stream delivers them. */
  async *pass(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.#held.length === 0) this.#held = await this.#next();
      const piece = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Drops the next `count` bytes. */
  async skip(count: number): Promise<void> {
    for (let left = count; left > 0;) {
      if (this.#held.length === 0) this.#held = await this.#next();
      const dropped = Math.min(left, this.#held.length);
      this.#held = this.#held.subarray(dropped);
      left -= dropped;
    }
  }

  /** Closes the stream. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #next(): Promise<Buffer> {
    const result = await this.#source.next();
    if (result.done === true) throw new VideoIndexError('its file is too short.');
    const { buffer, byteOffset, byteLength } = result.value as Uint8Array;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}
