/** Size in bytes of the header of a box, which contains its size and type (ISO 14496-12, 4.2). */
export const BOX_HEADER_BYTES = 8;
/**
 * First word (32 bits) after the header of a box with version 1 and no flags. In this version, times have 64
 * bits.
 */
export const VERSION_1 = 0x1000000;

/** Thrown if a video cannot get an index. The file of the video stays unchanged. */
export class VideoIndexError extends Error {
  override name = 'VideoIndexError';

  constructor(reason: string) {
    super(`The video gets no index: ${reason}`);
  }
}

/** Type and byte range of a box. The range includes the header of the box. */
export interface BoxPlace {
  type: string;
  start: number;
  end: number;
}

/** Yields the boxes in a range of the bytes. Ends early at a box that is invalid or incomplete. */
export function* fittingBoxes(bytes: Buffer, start: number, end: number): Generator<BoxPlace> {
  for (let at = start; at + BOX_HEADER_BYTES <= end;) {
    const size = bytes.readUInt32BE(at);
    if (size < BOX_HEADER_BYTES || at + size > end) return;
    yield { type: bytes.toString('latin1', at + 4, at + BOX_HEADER_BYTES), start: at, end: at + size };
    at += size;
  }
}

/**
 * Finds the boxes in a range of the bytes. Throws {@link VideoIndexError} if a box is invalid or incomplete.
 */
export function boxesIn(bytes: Buffer, start: number, end: number): BoxPlace[] {
  const boxes = [...fittingBoxes(bytes, start, end)];
  if ((boxes.at(-1)?.end ?? start) < end) throw new VideoIndexError('a box is invalid or incomplete.');
  return boxes;
}

/** Finds the boxes inside a box. */
export function boxesInside(bytes: Buffer, { start, end }: BoxPlace): BoxPlace[] {
  return boxesIn(bytes, start + BOX_HEADER_BYTES, end);
}

/** Finds the first box of a type inside a box. Throws {@link VideoIndexError} if there is none. */
export function boxInside(bytes: Buffer, place: BoxPlace, type: string): BoxPlace {
  const found = boxesInside(bytes, place).find((box) => box.type === type);
  if (!found) throw new VideoIndexError(`a box "${place.type}" has no box "${type}".`);
  return found;
}

/** Returns a box of a type with the given content. */
export function boxOf(type: string, ...content: readonly Buffer[]): Buffer {
  return Buffer.concat([
    boxHeader(
      type,
      content.reduce((sum, { length }) => sum + length, 0),
    ),
    ...content,
  ]);
}

/** Returns the header of a box whose content has this many bytes. */
export function boxHeader(type: string, contentBytes: number): Buffer {
  const header = Buffer.alloc(BOX_HEADER_BYTES);
  header.writeUInt32BE(BOX_HEADER_BYTES + contentBytes);
  header.write(type, 4, 'latin1');
  return header;
}

/** Returns numbers as unsigned integers of 32 bits, big-endian. */
export function words(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}

/** Returns a number as an unsigned integer of 64 bits, big-endian. */
export function longWord(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/**
 * Returns the offset of the field after the creation and modification times of a box. Each time has 64 bits
 * in version 1 of a box, otherwise 32.
 */
export function afterTimes(bytes: Buffer, { start }: Pick<BoxPlace, 'start'>): number {
  const isLong = bytes.readUInt8(start + BOX_HEADER_BYTES) === 1;
  return start + BOX_HEADER_BYTES + (isLong ? 20 : 12);
}
