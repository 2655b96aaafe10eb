import { decodeFramePart } from '../../protocol/index.js';

/** Maximum of frames whose parts are kept. The host sends fewer before it waits for acknowledgements. */
const MAX_FRAMES = 256;

interface Parts {
  missing: number;
  readonly parts: Uint8Array[];
}

/**
 * Brings the frames of two connections in order. The first connection has all frames, whole or in parts. The
 * second one has copies of parts. The first copy of each part counts.
 */
export class FrameOrder {
  /** Sequence number of the frame that is delivered next. */
  #next = 0;
  readonly #frames = new Map<number, Parts>();

  /** @param deliver receives each media packet once, in order */
  constructor(private readonly deliver: (packet: Uint8Array) => void) {}

  /** Takes a whole media packet of the first connection. All frames before it have arrived there. */
  whole(packet: Uint8Array): void {
    this.#next++;
    this.deliver(packet);
    this.#deliverComplete();
  }

  /** Takes a part of either connection. Throws `ProtocolError`. */
  part(bytes: Uint8Array): void {
    const { sequence, index, count, payload } = decodeFramePart(bytes);
    if (sequence < this.#next || sequence >= this.#next + MAX_FRAMES) return;
    const frame = this.#frames.get(sequence) ?? { missing: count, parts: [] };
    this.#frames.set(sequence, frame);
    if (frame.parts[index]) return;
    frame.parts[index] = payload;
    frame.missing--;
    this.#deliverComplete();
  }

  #deliverComplete(): void {
    for (;;) {
      const frame = this.#frames.get(this.#next);
      if (!frame || frame.missing > 0) return;
      this.#frames.delete(this.#next++);
      this.deliver(joined(frame.parts));
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
