import type { OnReadOpts } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** Bytes that are read at once. What a connection never fills of it takes no memory. */
const BUFFER_BYTES = 131_072;

/**
 * Reads a connection into one buffer that is used again and again, and passes it on: half the processor time of a pipe, which has a new
 * one of half the size for every read.
 */
export class BulkReader {
  /** What the socket is made with. */
  readonly onread: OnReadOpts;
  #take: (bytes: Uint8Array) => boolean;

  /**
   * @param before takes what is read before it is piped, and keeps nothing of the buffer; answers whether to read on. Without it the
   *   socket has to be paused until then
   */
  constructor(before: (bytes: Uint8Array) => boolean = () => false) {
    this.#take = before;
    const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.onread = { buffer, callback: (length) => this.#take(buffer.subarray(0, length)) };
  }

  /**
   * Passes on what is read from here: so many bytes, or all. The sink ends behind the last one, or with the source when all of it is
   * wanted. Nothing is read while something waits to be written, nor behind the last byte.
   *
   * @param source the socket that was made with {@link onread}
   */
  pipe(source: Readable, sink: Writable, length = Infinity): void {
    let left = length;
    const goOn = () => {
      if (left > 0) source.resume();
    };
    this.#take = (bytes) => {
      const wanted = bytes.length > left ? bytes.subarray(0, left) : bytes;
      left -= wanted.length;
      sink.write(wanted, goOn);
      if (left === 0) sink.end();
      return left > 0 && sink.writableLength === 0;
    };
    if (length === Infinity) source.once('end', () => sink.end());
    source.resume();
  }
}
