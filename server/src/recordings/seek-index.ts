import { open } from 'node:fs/promises';
import { listedSeconds, type FragmentList } from './fragment-list.js';
import type { RecordedFragment } from '../sessions/recordings/recording-record.js';

/** Bytes that are reserved for the index, between the initialisation segment and the first fragment. */
export const INDEX_BYTES = 16_384;
const HEADER_BYTES = 8;
/** Sizes of a box `sidx` with 64-bit times and without references, and of one reference. */
const [SIDX_BYTES, REFERENCE_BYTES] = [40, 12];
/** References that fit. A box `free` fills the rest. */
const MAX_REFERENCES = Math.floor((INDEX_BYTES - SIDX_BYTES - HEADER_BYTES) / REFERENCE_BYTES);
/** A reference has 31 bits for the size. */
const MAX_SIZE = 2 ** 31 - 1;
/** The first track has the pictures. */
const VIDEO_TRACK = 1;
const UNITS_PER_SECOND = 90_000;
/** The part starts with a key frame, and needs nothing before it. */
const STARTS_WITH_KEY_FRAME = 0x90_00_00_00;

/** Returns a box that reserves the place of the index. Players skip it. */
export function reservedIndex(): Buffer {
  const box = Buffer.alloc(INDEX_BYTES);
  writeHeader(box, 0, INDEX_BYTES, 'free');
  return box;
}

/**
 * Returns the index (`sidx`, ISO 14496-12, 8.16.3) of a complete video. Without it, Chromium reads the
 * headers of all fragments before it plays. Long recordings have fewer entries than key frames.
 */
export function seekIndex(list: FragmentList): Buffer {
  const references = referencesOf(list);
  const box = reservedIndex();
  const size = SIDX_BYTES + references.length * REFERENCE_BYTES;
  if (references.length === 0 || references.some((reference) => reference.size > MAX_SIZE)) return box;
  writeHeader(box, 0, size, 'sidx');
  // Version 1 has times of 64 bits.
  box.writeUInt8(1, 8);
  box.writeUInt32BE(VIDEO_TRACK, 12);
  box.writeUInt32BE(UNITS_PER_SECOND, 16);
  box.writeBigUInt64BE(BigInt(unitsOf(references[0]?.time ?? 0)), 20);
  box.writeBigUInt64BE(BigInt(INDEX_BYTES - size), 28);
  box.writeUInt16BE(references.length, 38);
  const end = listedSeconds(list);
  for (const [index, { time, size: bytes }] of references.entries()) {
    const at = SIDX_BYTES + index * REFERENCE_BYTES;
    const next = references[index + 1]?.time ?? end;
    box.writeUInt32BE(bytes, at);
    box.writeUInt32BE(Math.max(0, unitsOf(next) - unitsOf(time)), at + 4);
    box.writeUInt32BE(STARTS_WITH_KEY_FRAME, at + 8);
  }
  writeHeader(box, size, INDEX_BYTES - size, 'free');
  return box;
}

/**
 * Writes the index into its place in a video file, if the file has the place. No byte moves and the file does
 * not grow. The header of the box is written last: until then, players skip the place, also after a power
 * cut.
 */
export async function storeIndex(path: string, list: FragmentList): Promise<void> {
  if (list.index !== INDEX_BYTES) return;
  const box = seekIndex(list);
  const file = await open(path, 'r+');
  try {
    await file.write(box, HEADER_BYTES, box.length - HEADER_BYTES, list.init + HEADER_BYTES);
    await file.sync();
    await file.write(box, 0, HEADER_BYTES, list.init);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Joins the fragments from each key frame to the next, and these parts until there are few enough. */
function referencesOf({ fragments }: FragmentList): { time: number; size: number }[] {
  const parts = joined(fragments, ({ keyFrame }) => keyFrame);
  const together = Math.ceil(parts.length / MAX_REFERENCES);
  return together <= 1 ? parts : joined(parts, (_, index) => index % together === 0);
}

function joined<T extends Pick<RecordedFragment, 'time' | 'size'>>(
  parts: readonly T[],
  isFirst: (part: T, index: number) => boolean,
): { time: number; size: number }[] {
  const result: { time: number; size: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const last = result.at(-1);
    if (!last || isFirst(part, index)) result.push({ time: part.time, size: part.size });
    else last.size += part.size;
  }
  return result;
}

function writeHeader(box: Buffer, at: number, size: number, type: string): void {
  box.writeUInt32BE(size, at);
  box.write(type, at + 4, 'latin1');
}

function unitsOf(seconds: number): number {
  return Math.round(seconds * UNITS_PER_SECOND);
}
