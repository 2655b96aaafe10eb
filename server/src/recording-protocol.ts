/**
 * Descriptor of the pipe over which a session host sends recordings to the service. The host writes to it
 * only for a recording.
 */
export const RECORDING_CHANNEL = 5;

/** Settings of one recording for the session's host. */
export interface RecordingOrder {
  /** Number of the recording in its session. It distinguishes the recordings of one session. */
  number: number;
  /** True to record the sound. */
  audio: boolean;
  /** Frames per second while no viewer sees the picture. */
  fps: number;
  /** True to record events. */
  events: boolean;
  /** Seconds after which the recording ends. Null if there is no limit. */
  maxSeconds: number | null;
  /**
   * True to save only the last seconds before the order, which the host has in memory. False to record the
   * session from the order on.
   */
  fromRing: boolean;
}

/** Settings of the ring: a buffer in the host's memory with the last seconds of its session. */
export interface RecordingRing {
  /** Minimum number of seconds that are kept. */
  seconds: number;
  audio: boolean;
  /** Frames per second while no viewer sees the picture. */
  fps: number;
  events: boolean;
}

/** Reasons why a recording ended. */
export const RECORDING_ENDS = [
  'stopped',
  'session_ended',
  'max_seconds',
  'max_mb',
  'quota',
  'storage',
  'interrupted',
] as const;

/** One of {@link RECORDING_ENDS}. */
export type RecordingEnd = (typeof RECORDING_ENDS)[number];

/** A part of a recording. The host sends the parts in the order in which they are recorded. */
export type RecordingPart =
  /** Initialisation segment of the video file: `ftyp` and `moov`. */
  | { type: 'init'; data: Buffer }
  | {
      /** Complete fragment of the video file: `moof` and `mdat`. */
      type: 'fragment';
      data: Buffer;
      /** Time of its first picture, in seconds since the start of the recording. */
      time: number;
      /** Seconds for which its pictures are shown. */
      duration: number;
      /** True if it starts with a key frame. */
      keyFrame: boolean;
    }
  /** One event as JSON, without a line break. */
  | { type: 'event'; data: Buffer }
  /** The recording is complete. `data` is the reason as text, see {@link RecordingEnd}. */
  | { type: 'end'; data: Buffer };

const TYPES = ['init', 'fragment', 'event', 'end'] as const;
/** Header: length of the data, number of the recording, type, key frame, time and duration. */
const HEADER_BYTES = 4 + 4 + 1 + 1 + 8 + 8;
/**
 * Maximum size of a part's data in bytes. A fragment ends at about 1 MB, but contains at least one picture.
 * One large key frame can exceed 1 MB.
 */
export const MAX_PART_BYTES = 32 * 1024 * 1024;

/** Returns the header and the data of a part as one message. */
export function encodePart(number: number, part: RecordingPart): Buffer {
  return Buffer.concat([encodeHeader(number, part), part.data]);
}

/** Returns the header of a part. The data follows it. */
export function encodeHeader(number: number, part: RecordingPart): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(part.data.length, 0);
  header.writeUInt32BE(number, 4);
  header.writeUInt8(TYPES.indexOf(part.type), 8);
  if (part.type === 'fragment') {
    header.writeUInt8(part.keyFrame ? 1 : 0, 9);
    header.writeDoubleBE(part.time, 10);
    header.writeDoubleBE(part.duration, 18);
  }
  return header;
}

/** Thrown if a host has sent bytes that are not a part of a recording. */
export class RecordingProtocolError extends Error {
  override name = 'RecordingProtocolError';
}

/** Separates the parts in the bytes of a pipe. The bytes are untrusted. */
export class PartReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** Adds bytes. Returns the parts that are complete. Throws {@link RecordingProtocolError}. */
  push(chunk: Buffer): { number: number; part: RecordingPart }[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const parts: { number: number; part: RecordingPart }[] = [];
    for (;;) {
      if (this.#bytes < HEADER_BYTES) return parts;
      const header = this.#first(HEADER_BYTES);
      const length = header.readUInt32BE(0);
      if (length > MAX_PART_BYTES) throw new RecordingProtocolError(`A part has ${length} bytes.`);
      if (this.#bytes < HEADER_BYTES + length) return parts;
      const message = this.#take(HEADER_BYTES + length);
      parts.push({ number: message.readUInt32BE(4), part: partOf(message) });
    }
  }

  /** Returns the first bytes, without removing them. */
  #first(length: number): Buffer {
    const [first] = this.#chunks;
    if (first && first.length >= length) return first;
    this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #take(length: number): Buffer {
    const all = this.#first(length);
    const rest = all.subarray(length);
    this.#chunks = [...(rest.length > 0 ? [rest] : []), ...this.#chunks.slice(1)];
    this.#bytes -= length;
    return all.subarray(0, length);
  }
}

function partOf(message: Buffer): RecordingPart {
  const data = message.subarray(HEADER_BYTES);
  const type = TYPES[message.readUInt8(8)];
  if (type === undefined) throw new RecordingProtocolError('A part has an unknown type.');
  if (type !== 'fragment') return { type, data };
  const [time, duration] = [message.readDoubleBE(10), message.readDoubleBE(18)];
  if (!Number.isFinite(time) || !Number.isFinite(duration) || time < 0 || duration < 0)
    throw new RecordingProtocolError('A fragment has no valid time.');
  return { type, data, time, duration, keyFrame: message.readUInt8(9) === 1 };
}
