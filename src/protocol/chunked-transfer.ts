import { ProtocolError } from './bytes.js';
import { encodeClipboardChunk, sizeOfParts } from './clipboard-sending.js';
import { MAX_CHUNK_BYTES, type ClipboardData, type ClipboardOffer, type ClipboardPart } from './clipboard.js';
import type { ClipboardType } from './session-api/clipboard.js';

/** Bytes that may be on their way at first: pictures and input wait behind no more than that on any line. */
const FIRST_WINDOW = 64 * 1024;
const LEAST_WINDOW = 32 * 1024;
const MOST_WINDOW = 1024 * 1024;
/** A window is this many chunks, so that acknowledgements come while it is under way. */
const CHUNKS_IN_WINDOW = 4;
/** Milliseconds over the quickest acknowledgement: below the first the line has room, beyond the second it is full. */
const ROOM_MS = 30;
const FULL_MS = 100;

/** What a {@link ChunkSender} sends with. */
export interface ChunkOutlet {
  offer(offer: ClipboardOffer): void;
  chunk(bytes: Uint8Array): void;
  /** Milliseconds on a monotonic clock. */
  now(): number;
}

/**
 * Sends one transfer in chunks, so that whatever else goes the same way waits for little of it. What is on its way is bounded by
 * acknowledgements: more while they come at once, less when they come late, since then the line is full.
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

  /** Everything was sent. */
  get sent(): boolean {
    return this.#position === this.#bytes.byteLength;
  }

  /** Everything has come. */
  get done(): boolean {
    return this.#acknowledged === this.#bytes.byteLength;
  }

  /** The other side has so many bytes of it. Throws {@link ProtocolError} for more than were sent. */
  acknowledged(bytes: number): void {
    if (bytes > this.#position) throw new ProtocolError('More was acknowledged than was sent.');
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

/** The most bytes that a sender has on its way: a receiver need not take more at once. */
export const MAX_TRANSFER_WINDOW = MOST_WINDOW + MAX_CHUNK_BYTES;

/** Puts the chunks of one transfer together. */
export class ChunkReceiver {
  readonly #size: number;
  readonly #bytes: Uint8Array;
  #received = 0;

  /** @param parts within their limits: memory for all of them is taken at once */
  constructor(private readonly parts: readonly ClipboardPart[]) {
    this.#size = sizeOfParts(parts);
    this.#bytes = new Uint8Array(this.#size);
  }

  /** Bytes that have come. */
  get received(): number {
    return this.#received;
  }

  get done(): boolean {
    return this.#received === this.#size;
  }

  /** Takes the next chunk. Throws {@link ProtocolError} when it is more than was offered. */
  push(payload: Uint8Array): void {
    if (this.#received + payload.byteLength > this.#size)
      throw new ProtocolError('A transfer has more bytes than were offered.');
    this.#bytes.set(payload, this.#received);
    this.#received += payload.byteLength;
  }

  /** What has come, when it is all there. */
  data(): ClipboardData {
    const data = new Map<ClipboardType, Uint8Array>();
    let offset = 0;
    for (const { type, size } of this.parts) data.set(type, this.#bytes.subarray(offset, (offset += size)));
    return data;
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}
