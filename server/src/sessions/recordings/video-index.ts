import type { RecordedFragment } from './recording-record.js';

/** Ticks per second of the times in the index. */
const TIMESCALE = 90_000;
/** The count of references has 16 bits. */
const MAX_REFERENCES = 65_535;
/** Id of the video track. The muxer numbers the tracks from 1. */
const VIDEO_TRACK = 1;
const BOX_HEADER = 8;

/** A part of a video that starts with a key frame. */
export interface VideoSegment {
  /** Start and duration in seconds. */
  time: number;
  duration: number;
  /** Place in the file. */
  offset: number;
  size: number;
}

/** Joins the fragments from each key frame to the next. */
export function segmentsOf(fragments: readonly RecordedFragment[]): VideoSegment[] {
  const segments: VideoSegment[] = [];
  for (const { time, duration, offset, size, keyFrame } of fragments) {
    const last = segments.at(-1);
    if (!last || keyFrame) segments.push({ time, duration, offset, size });
    else {
      last.size += size;
      last.duration = time + duration - last.time;
    }
  }
  return segments;
}

/**
 * Returns the bytes that replace the initialisation segment of a complete video: the segment with the
 * duration (`mehd`), and an index of all parts (`sidx`, ISO 14496-12, 8.16.3). Without them, players read
 * through the whole file before they know its duration and can seek.
 */
export function indexedInit(init: Buffer, fragments: readonly RecordedFragment[]): Buffer {
  const segments = segmentsOf(fragments);
  const last = segments.at(-1);
  if (!last) return init;
  return Buffer.concat([withDuration(init, last.time + last.duration), indexBox(segments)]);
}

function indexBox(segments: readonly VideoSegment[]): Buffer {
  const perReference = Math.ceil(segments.length / MAX_REFERENCES);
  const groups = Array.from({ length: Math.ceil(segments.length / perReference) }, (_, index) =>
    segments.slice(index * perReference, (index + 1) * perReference),
  );
  const head = Buffer.alloc(32);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(VIDEO_TRACK, 4);
  head.writeUInt32BE(TIMESCALE, 8);
  head.writeBigUInt64BE(BigInt(ticksOf(segments[0]?.time ?? 0)), 12);
  head.writeUInt16BE(groups.length, 30);
  const references = groups.map((group, index) => {
    const reference = Buffer.alloc(12);
    const start = ticksOf(group[0]?.time ?? 0);
    const end = groups[index + 1]?.[0]?.time ?? endOf(group);
    reference.writeUInt32BE(
      group.reduce((sum, { size }) => sum + size, 0),
      0,
    );
    reference.writeUInt32BE(Math.max(0, ticksOf(end) - start), 4);
    // It starts with a key frame: a stream access point of type 1.
    reference.writeUInt32BE(0x9000_0000, 8);
    return reference;
  });
  return box('sidx', Buffer.concat([head, ...references]));
}

function endOf(segments: readonly VideoSegment[]): number {
  const last = segments.at(-1);
  return last ? last.time + last.duration : 0;
}

/** Adds the duration to the movie box. Returns the segment unchanged if it has no place for it. */
function withDuration(init: Buffer, seconds: number): Buffer {
  const movie = childOf(init, 0, init.length, 'moov');
  if (!movie) return init;
  const header = childOf(init, movie.start + BOX_HEADER, movie.end, 'mvhd');
  const extension = childOf(init, movie.start + BOX_HEADER, movie.end, 'mvex');
  if (!header || !extension) return init;
  const longTimes = init.readUInt8(header.start + BOX_HEADER) === 1;
  const timescale = init.readUInt32BE(header.start + BOX_HEADER + (longTimes ? 20 : 12));
  const content = Buffer.alloc(12);
  content.writeUInt8(1, 0);
  content.writeBigUInt64BE(BigInt(Math.round(seconds * timescale)), 4);
  const duration = box('mehd', content);
  const place = extension.start + BOX_HEADER;
  const result = Buffer.concat([init.subarray(0, place), duration, init.subarray(place)]);
  for (const { start, end } of [movie, extension]) result.writeUInt32BE(end - start + duration.length, start);
  return result;
}

/** Finds a box between two places of the bytes. */
function childOf(
  bytes: Buffer,
  from: number,
  to: number,
  type: string,
): { start: number; end: number } | undefined {
  for (let start = from; start + BOX_HEADER <= to;) {
    const size = bytes.readUInt32BE(start);
    if (size < BOX_HEADER || start + size > to) return undefined;
    if (bytes.toString('latin1', start + 4, start + BOX_HEADER) === type) return { start, end: start + size };
    start += size;
  }
  return undefined;
}

function box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BOX_HEADER);
  header.writeUInt32BE(BOX_HEADER + content.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}

function ticksOf(seconds: number): number {
  return Math.round(seconds * TIMESCALE);
}
