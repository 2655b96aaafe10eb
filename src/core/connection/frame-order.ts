import { decodeFramePart, joined } from '../../protocol/index.js';

/**
 * Maximum number of frames whose parts are kept. The host sends fewer frames before it waits for
 * acknowledgements.
 */
const MAX_FRAMES = 256;

/** Number of frames, sent in parts, after which the client decides if the second connection helps. */
const TRIAL_FRAMES = 300;
/**
 * Minimum gain in milliseconds. The second connection helps if it completes a frame at least this much
 * earlier than the first connection alone.
 */
const HELPED_MS = 15;

interface Parts {
  missing: number;
  /** Number of parts that have not arrived on the first connection yet. */
  missingOnFirst: number;
  /** The parts that have arrived, by their index. Empty after the frame was delivered. */
  readonly parts: Uint8Array[];
  completeAt: number;
}

/**
 * Puts the frames of two connections in order. The first connection carries all frames, whole or in parts.
 * The second connection carries copies of parts. Each part is used when it arrives for the first time, on
 * either connection.
 */
export class FrameOrder {
  /** Sequence number of the frame that is delivered next. */
  #next = 0;
  readonly #frames = new Map<number, Parts>();
  #tried = 0;
  #helped = false;

  /**
   * @param deliver receives each media packet once, in order
   * @param onUseless called if the second connection has not helped for {@link TRIAL_FRAMES} frames
   * @param now milliseconds on a monotonic clock
   */
  constructor(
    private readonly deliver: (packet: Uint8Array) => void,
    private readonly onUseless: () => void,
    private readonly now: () => number,
  ) {}

  /** Takes a whole media packet of the first connection. All frames before it have arrived there. */
  whole(packet: Uint8Array): void {
    this.#next++;
    this.deliver(packet);
    this.#deliverComplete();
  }

  /**
   * Takes a part. Throws `ProtocolError` if the part is invalid.
   *
   * @param isCopy true if the part has arrived on the second connection
   */
  part(bytes: Uint8Array, isCopy: boolean): void {
    const { sequence, index, count, payload } = decodeFramePart(bytes);
    // Parts of delivered frames may still arrive on the first connection. They are counted, because the time
    // of the last part shows if the second connection helps.
    if ((isCopy && sequence < this.#next) || sequence >= this.#next + MAX_FRAMES) return;
    const known = this.#frames.get(sequence);
    if (!known && sequence < this.#next) return;
    const frame = known ?? { missing: count, missingOnFirst: count, parts: [], completeAt: Infinity };
    this.#frames.set(sequence, frame);
    if (sequence >= this.#next && !frame.parts[index]) {
      frame.parts[index] = payload;
      if (--frame.missing === 0) frame.completeAt = this.now();
    }
    if (!isCopy && --frame.missingOnFirst === 0) this.#arrivedOnFirst(frame);
    this.#deliverComplete();
    if (frame.missingOnFirst === 0) this.#frames.delete(sequence);
  }

  /** Records that all parts of a frame have arrived on the first connection. */
  #arrivedOnFirst({ completeAt }: Parts): void {
    if (this.now() - completeAt >= HELPED_MS) this.#helped = true;
    if (++this.#tried < TRIAL_FRAMES) return;
    if (!this.#helped) this.onUseless();
    this.#tried = 0;
    this.#helped = false;
  }

  #deliverComplete(): void {
    for (;;) {
      const frame = this.#frames.get(this.#next);
      if (!frame || frame.missing > 0) return;
      this.#next++;
      const packet = joined(frame.parts);
      frame.parts.length = 0;
      this.deliver(packet);
    }
  }
}
