import { CHUNK_OVERHEAD, HEAD_BYTES, type RecordingCipher } from './recording-cipher.js';

/** Size in bytes of the length field before each chunk. */
const LENGTH_BYTES = 4;

/** Encrypts the lines of an event file one after the other. */
export class EventSealer {
  #number = 0;

  constructor(private readonly cipher: RecordingCipher) {}

  /** Returns the bytes to append for a line. The bytes of the first line begin with the head of the file. */
  seal(line: Buffer): Buffer {
    const head = this.#number === 0 ? this.cipher.head : Buffer.alloc(0);
    const chunk = this.cipher.encrypt(this.#number++, line);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(chunk.length);
    return Buffer.concat([head, length, chunk]);
  }
}

/** The complete lines of a sealed event file. */
export interface OpenedEvents {
  lines: Buffer;
  /** Number of bytes of the sealed file up to the end of these lines. */
  sealedBytes: number;
}

/**
 * Decrypts the complete lines of an event file. Ignores an incomplete last line, which a killed service may
 * have left.
 */
export function openEvents(file: Buffer, cipher: RecordingCipher): OpenedEvents {
  const lines: Buffer[] = [];
  let at = HEAD_BYTES;
  while (at + LENGTH_BYTES <= file.length) {
    const length = file.readUInt32BE(at);
    const end = at + LENGTH_BYTES + length;
    if (length < CHUNK_OVERHEAD || end > file.length) break;
    const line = cipher.decrypt(lines.length, file.subarray(at + LENGTH_BYTES, end));
    if (!line) break;
    lines.push(line);
    at = end;
  }
  return { lines: Buffer.concat(lines), sealedBytes: at };
}
