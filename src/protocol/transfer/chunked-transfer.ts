import { joined, ProtocolError } from '../bytes.js';
import { encodeClipboardChunk, sizeOfParts } from './clipboard-sending.js';
import { MAX_CHUNK_BYTES, type ClipboardData, type ClipboardOffer, type ClipboardPart } from './clipboard.js';
import type { ClipboardType } from '../session-api/clipboard.js';

/**
 * Number of unacknowledged bytes that is allowed at first. A small number limits the time for which frames
 * and input wait.
 */
const FIRST_WINDOW = 64 * 1024;
const LEAST_WINDOW = 32 * 1024;
const MOST_WINDOW = 1024 * 1024;
/**
 * Minimum number of chunks per window. With several chunks, acknowledgements arrive while the window is being
 * sent.
 */
const CHUNKS_IN_WINDOW = 4;
/**
 * Limits for the delay of an acknowledgement compared with the fastest one, in milliseconds. Below the first
 * value, the window grows. Above the second value, data waits in a queue, and the window shrinks.
 */
const ROOM_MS = 30;
const FULL_MS = 100;

/** Output of a {@link ChunkSender}. */
export interface ChunkOutlet {
  offer(offer: ClipboardOffer): void;
  chunk(bytes: Uint8Array): void;
  /** Milliseconds on a monotonic clock. */
  now(): number;
}

/**
 * Sends one transfer in chunks, so that other messages on the same connection wait only briefly. The number
 * of unacknowledged bytes is limited by a window. The window grows while acknowledgements are fast. It
 * shrinks when acknowledgements are late, because then data waits in a queue.
 */
export class ChunkSender {
  readonly #bytes: Uint8Array;
  readonly #sent: { end: number; at: number }[] = [];
  #position = 0;
  #acknowledged = 0;
  #window = FIRST_WINDOW;
  #quickest = Infinity;

  constructor(
    readonly transfer: number,
    data: ClipboardData,
    private readonly outlet: ChunkOutlet,
  ) {
    const parts = [...data].map(([type, bytes]): ClipboardPart => ({ type, size: bytes.byteLength }));
    this.#bytes = joined([...data.values()]);
    outlet.offer({ type: 'clipboard-offer', transfer, parts });
    this.#send();
  }

  /** True if all bytes were sent. */
  get sent(): boolean {
    return this.#position === this.#bytes.byteLength;
  }

  /** True if all bytes were acknowledged. */
  get done(): boolean {
    return this.#acknowledged === this.#bytes.byteLength;
  }

  /**
   * Handles an acknowledgement of this many bytes in total. Throws {@link ProtocolError} for more than were
   * sent.
   */
  acknowledged(bytes: number): void {
    if (bytes > this.#position) throw new ProtocolError('More bytes were acknowledged than sent.');
    if (bytes <= this.#acknowledged) return;
    this.#acknowledged = bytes;
    const now = this.outlet.now();
    while (this.#sent[0] && this.#sent[0].end <= bytes) {
      const delay = now - (this.#sent.shift()?.at ?? now);
      this.#quickest = Math.min(this.#quickest, delay);
      const late = delay - this.#quickest;
      if (late < ROOM_MS) this.#window = Math.min(MOST_WINDOW, this.#window * 1.5);
      else if (late > FULL_MS) this.#window = Math.max(LEAST_WINDOW, this.#window / 2);
    }
    this.#send();
  }

  #send(): void {
    while (!this.sent && this.#position - this.#acknowledged < this.#window) {
      const size = Math.min(MAX_CHUNK_BYTES, Math.floor(this.#window / CHUNKS_IN_WINDOW));
      const payload = this.#bytes.subarray(this.#position, this.#position + size);
      this.#position += payload.byteLength;
      this.#sent.push({ end: this.#position, at: this.outlet.now() });
      this.outlet.chunk(encodeClipboardChunk({ transfer: this.transfer, payload }));
    }
  }
}

/** Maximum number of unacknowledged bytes. A receiver may refuse a sender that exceeds it. */
export const MAX_TRANSFER_WINDOW = MOST_WINDOW + MAX_CHUNK_BYTES;

/** Assembles the chunks of one transfer. */
export class ChunkReceiver {
  readonly #size: number;
  readonly #bytes: Uint8Array;
  #received = 0;

  /**
   * @param parts the offered parts. The caller has checked their limits, because the memory for all parts is
   *   allocated at once
   */
  constructor(private readonly parts: readonly ClipboardPart[]) {
    this.#size = sizeOfParts(parts);
    this.#bytes = new Uint8Array(this.#size);
  }

  /** Bytes received so far. */
  get received(): number {
    return this.#received;
  }

  get done(): boolean {
    return this.#received === this.#size;
  }

  /** Adds the next chunk. Throws {@link ProtocolError} if it exceeds the offer. */
  push(payload: Uint8Array): void {
    if (this.#received + payload.byteLength > this.#size)
      throw new ProtocolError('A transfer has more bytes than were offered.');
    this.#bytes.set(payload, this.#received);
    this.#received += payload.byteLength;
  }

  /** Returns the received data. It is complete only if `done` is true. */
  data(): ClipboardData {
    const data = new Map<ClipboardType, Uint8Array>();
    let offset = 0;
    for (const { type, size } of this.parts) data.set(type, this.#bytes.subarray(offset, (offset += size)));
    return data;
  }
}
