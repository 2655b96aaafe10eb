import type { FileHandle } from 'node:fs/promises';
import type { RecordingCipher } from '../sealed/recording-cipher.js';
import { CHUNK_BYTES, chunksIn, sealedBytes, sealPart } from '../sealed/sealed-video.js';
import { writeAll } from '../../platform/files/write-all.js';

/**
 * Number of bytes after which written data is synced to the disk. Frequent syncs are short, so other writers
 * do not wait long.
 */
const SYNC_BYTES = 16 * 1024 * 1024;

/**
 * Writes a video file in parts. The first part is written last, because its content depends on the other
 * parts.
 */
export interface VideoTarget {
  /** Appends bytes to the current part. The first call starts the second part of the file. */
  write(bytes: Buffer): Promise<void>;
  /** Ends the current part. */
  endPart(): Promise<void>;
  /** Writes the first part. `head` must have the size that the constructor received as `headBytes`. */
  writeHead(head: Buffer): Promise<void>;
}

/** Appends bytes, starting at a position of the file. */
class MovingWriter {
  #unsynced = 0;

  constructor(
    private readonly file: FileHandle,
    private place: number,
  ) {}

  async write(bytes: Buffer): Promise<void> {
    await writeAll(this.file, bytes, this.place);
    this.place += bytes.length;
    this.#unsynced += bytes.length;
    if (this.#unsynced < SYNC_BYTES) return;
    this.#unsynced = 0;
    await this.file.datasync();
  }
}

/** Writes an unencrypted video. */
export class PlainTarget implements VideoTarget {
  readonly #writer: MovingWriter;

  /** @param headBytes size of the first part */
  constructor(
    private readonly file: FileHandle,
    headBytes: number,
  ) {
    this.#writer = new MovingWriter(file, headBytes);
  }

  write(bytes: Buffer): Promise<void> {
    return this.#writer.write(bytes);
  }

  async endPart(): Promise<void> {
    // An unencrypted file has no boundaries between parts.
  }

  writeHead(head: Buffer): Promise<void> {
    return writeAll(this.file, head, 0);
  }
}

/** Writes an encrypted video. No chunk contains bytes of two parts. */
export class SealedTarget implements VideoTarget {
  readonly #writer: MovingWriter;
  /** Number of the next chunk. */
  #number: number;
  #held: Buffer[] = [];
  #heldBytes = 0;

  /** @param headBytes size of the first part */
  constructor(
    private readonly file: FileHandle,
    private readonly cipher: RecordingCipher,
    headBytes: number,
  ) {
    this.#writer = new MovingWriter(file, sealedBytes([headBytes]));
    this.#number = chunksIn(headBytes);
  }

  async write(bytes: Buffer): Promise<void> {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes < CHUNK_BYTES) return;
    const all = Buffer.concat(this.#held);
    const whole = all.length - (all.length % CHUNK_BYTES);
    this.#hold(all.subarray(whole));
    await this.#seal(all.subarray(0, whole));
  }

  async endPart(): Promise<void> {
    const rest = Buffer.concat(this.#held);
    this.#hold(Buffer.alloc(0));
    await this.#seal(rest);
  }

  async writeHead(head: Buffer): Promise<void> {
    await writeAll(this.file, Buffer.concat([this.cipher.head, sealPart(this.cipher, 0, head)]), 0);
  }

  #hold(bytes: Buffer): void {
    this.#held = [bytes];
    this.#heldBytes = bytes.length;
  }

  async #seal(content: Buffer): Promise<void> {
    const sealed = sealPart(this.cipher, this.#number, content);
    this.#number += chunksIn(content.length);
    await this.#writer.write(sealed);
  }
}
