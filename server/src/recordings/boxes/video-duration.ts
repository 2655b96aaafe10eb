import { open } from 'node:fs/promises';
import {
  afterTimes,
  BOX_HEADER_BYTES,
  boxOf,
  fittingBoxes,
  longWord,
  VERSION_1,
  words,
  type BoxPlace,
} from './boxes.js';

/** Size in bytes of a box `mehd` with a duration of 64 bits. */
const BOX_BYTES = 20;

/**
 * Adds a box for the duration (`mehd`, ISO 14496-12, 8.8.2) to the initialisation segment of a fragmented
 * video. WebKitGTK cannot play such a video without this box. Firefox opens the video faster with this box.
 * Returns the segment unchanged if it does not belong to a fragmented video.
 */
export function withDurationBox(init: Buffer): Buffer {
  const movie = boxIn(init, { start: 0, end: init.length }, 'moov');
  const fragments = movie && boxIn(init, inside(movie), 'mvex');
  if (!movie || !fragments) return init;
  const box = boxOf('mehd', words([VERSION_1]), longWord(0));
  const place = fragments.start + BOX_HEADER_BYTES;
  const result = Buffer.concat([init.subarray(0, place), box, init.subarray(place)]);
  for (const { start, end } of [movie, fragments]) result.writeUInt32BE(end - start + BOX_BYTES, start);
  return result;
}

/**
 * Writes the duration of a video file into its box `mehd`, if the file has this box.
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

/**
 * Returns a copy of an initialisation segment with this duration. If the segment has no box `mehd`, the copy
 * is unchanged.
 */
export function withDuration(init: Buffer, seconds: number): Buffer {
  const place = placeOfDuration(init);
  const result = Buffer.from(init);
  if (place) durationBytes(seconds * place.timescale).copy(result, place.start);
  return result;
}

/** Returns the offset of the duration in an initialisation segment, and the time units per second. */
function placeOfDuration(init: Buffer): { start: number; timescale: number } | undefined {
  const movie = boxIn(init, { start: 0, end: init.length }, 'moov');
  const header = movie && boxIn(init, inside(movie), 'mvhd');
  const fragments = movie && boxIn(init, inside(movie), 'mvex');
  const box = fragments && boxIn(init, inside(fragments), 'mehd');
  if (!header || !box || box.end - box.start !== BOX_BYTES) return undefined;
  return { start: box.start + BOX_HEADER_BYTES + 4, timescale: init.readUInt32BE(afterTimes(init, header)) };
}

function durationBytes(units: number): Buffer {
  return longWord(Math.round(units));
}

/** A range of bytes in a buffer. */
type Part = Pick<BoxPlace, 'start' | 'end'>;

function inside({ start, end }: Part): Part {
  return { start: start + BOX_HEADER_BYTES, end };
}

/** Finds a box by its type in a range of bytes. */
function boxIn(bytes: Buffer, { start, end }: Part, type: string): BoxPlace | undefined {
  for (const box of fittingBoxes(bytes, start, end)) if (box.type === type) return box;
  return undefined;
}
