import { open } from 'node:fs/promises';

const HEADER_BYTES = 8;
/** Size of a box `mehd` with a duration of 64 bits. */
const BOX_BYTES = 20;

interface Box {
  start: number;
  end: number;
}

/**
 * Adds a box for the duration (`mehd`, ISO 14496-12, 8.8.2) to the initialisation segment of a fragmented
 * video. WebKitGTK plays no video without it, and Firefox opens one faster with it. Returns the segment
 * unchanged if it has no place for the box.
 */
export function withDurationBox(init: Buffer): Buffer {
  const movie = boxIn(init, { start: 0, end: init.length }, 'moov');
  const fragments = movie && boxIn(init, inside(movie), 'mvex');
  if (!movie || !fragments) return init;
  const box = Buffer.alloc(BOX_BYTES);
  box.writeUInt32BE(BOX_BYTES);
  box.write('mehd', 4, 'latin1');
  box.writeUInt8(1, HEADER_BYTES);
  const place = fragments.start + HEADER_BYTES;
  const result = Buffer.concat([init.subarray(0, place), box, init.subarray(place)]);
  for (const { start, end } of [movie, fragments]) result.writeUInt32BE(end - start + BOX_BYTES, start);
  return result;
}

/**
 * Writes the duration of a video file into its box, if it has one.
 *
 * @param init size of the initialisation segment
 */
export async function storeDuration(path: string, init: number, seconds: number): Promise<void> {
  if (init === 0) return;
  const file = await open(path, 'r+');
  try {
    const bytes = Buffer.alloc(init);
    await file.read(bytes, 0, init, 0);
    const place = placeOfDuration(bytes);
    if (!place) return;
    const duration = durationBytes(seconds * place.timescale);
    await file.write(duration, 0, duration.length, place.start);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns an initialisation segment with the duration in its box, if it has one. */
export function withDuration(init: Buffer, seconds: number): Buffer {
  const place = placeOfDuration(init);
  const result = Buffer.from(init);
  if (place) durationBytes(seconds * place.timescale).copy(result, place.start);
  return result;
}

/** Finds the duration in an initialisation segment, and the units per second. */
function placeOfDuration(init: Buffer): { start: number; timescale: number } | undefined {
  const movie = boxIn(init, { start: 0, end: init.length }, 'moov');
  const header = movie && boxIn(init, inside(movie), 'mvhd');
  const fragments = movie && boxIn(init, inside(movie), 'mvex');
  const box = fragments && boxIn(init, inside(fragments), 'mehd');
  if (!header || !box || box.end - box.start !== BOX_BYTES) return undefined;
  // The times before the timescale have 32 or 64 bits.
  const long = init.readUInt8(header.start + HEADER_BYTES) === 1;
  const timescale = init.readUInt32BE(header.start + HEADER_BYTES + (long ? 20 : 12));
  return { start: box.start + HEADER_BYTES + 4, timescale };
}

function durationBytes(units: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(Math.round(units)));
  return bytes;
}

function inside({ start, end }: Box): Box {
  return { start: start + HEADER_BYTES, end };
}

/** Finds a box by its type in a part of the bytes. */
function boxIn(bytes: Buffer, { start: from, end: to }: Box, type: string): Box | undefined {
  for (let start = from; start + HEADER_BYTES <= to;) {
    const size = bytes.readUInt32BE(start);
    if (size < HEADER_BYTES || start + size > to) return undefined;
    if (bytes.toString('latin1', start + 4, start + HEADER_BYTES) === type)
      return { start, end: start + size };
    start += size;
  }
  return undefined;
}
