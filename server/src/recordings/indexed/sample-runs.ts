import {
  BOX_HEADER_BYTES,
  boxesIn,
  boxesInside,
  boxInside,
  VideoIndexError,
  type BoxPlace,
} from '../boxes/boxes.js';

/**
 * Maximum number of samples in a fragment, for recorded fragments and for new fragments. A hostile host could
 * otherwise send a number that fills the memory. The limit also keeps the headers of new fragments small,
 * because players read a header for each seek.
 */
export const MAX_SAMPLES = 200_000;

/** Flags of a fragment's track (`tfhd`), ISO 14496-12, 8.8.7. */
const TRACK = {
  ...{ baseOffset: 0x1, description: 0x2, duration: 0x8, size: 0x10, flags: 0x20 },
  ...{ noDuration: 0x10000, fromHeader: 0x20000 },
} as const;
const KNOWN_TRACK = TRACK.duration | TRACK.size | TRACK.flags | TRACK.fromHeader;
/** Flags of a run (`trun`), 8.8.8. */
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400 } as const;
const KNOWN_RUN = RUN.offset | RUN.firstFlags | RUN.duration | RUN.size | RUN.flags;
/** Flag of a sample that is not a key frame. */
const NOT_SYNC = 0x10000;

/** Samples of one track with adjacent bytes. Times are in ticks of the track. */
export interface SampleRun {
  track: number;
  /** Start of the first sample. */
  time: number;
  durations: number[];
  sizes: number[];
  flags: number[];
  /** Offset of the first sample, in bytes from the start of the fragment. */
  offset: number;
}

/** Default values in a track's header. They apply to samples whose run does not contain these values. */
interface Defaults {
  duration: number | undefined;
  size: number | undefined;
  flags: number | undefined;
}

/** Returns true if a sample with these flags is a key frame. */
export function isKeyFrame(flags: number): boolean {
  return (flags & NOT_SYNC) === 0;
}

/** Returns the sum of some numbers. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/**
 * Reads the header of a fragment (`moof`). Throws {@link VideoIndexError} if the header contains data that
 * the recorder never writes, because the rewritten video would lose this data. The bytes are untrusted.
 */
export function sampleRunsOf(header: Buffer): SampleRun[] {
  const [fragment] = boxesIn(header, 0, header.length);
  if (fragment?.type !== 'moof' || fragment.end !== header.length)
    throw new VideoIndexError('a fragment has no header.');
  const parts = boxesInside(header, fragment);
  requireTypes(parts, ['mfhd', 'traf']);
  const runs = parts.filter(({ type }) => type === 'traf').flatMap((track) => runsOfTrack(header, track));
  if (sumOf(runs.map(({ sizes }) => sizes.length)) > MAX_SAMPLES)
    throw new VideoIndexError('a fragment has too many samples.');
  return runs;
}

function runsOfTrack(bytes: Buffer, place: BoxPlace): SampleRun[] {
  const parts = boxesInside(bytes, place);
  requireTypes(parts, ['tfhd', 'tfdt', 'trun']);
  const { track, defaults } = trackOf(bytes, boxInside(bytes, place, 'tfhd'));
  const clock = boxInside(bytes, place, 'tfdt').start + BOX_HEADER_BYTES;
  const isLong = bytes.readUInt8(clock) === 1;
  let time = isLong ? Number(bytes.readBigUInt64BE(clock + 4)) : bytes.readUInt32BE(clock + 4);
  if (!Number.isSafeInteger(time)) throw new VideoIndexError('a fragment has no valid time.');
  const runs: SampleRun[] = [];
  for (const part of parts.filter(({ type }) => type === 'trun')) {
    const run = { track, time, ...samplesOf(bytes, part, defaults) };
    runs.push(run);
    time += sumOf(run.durations);
  }
  return runs;
}

function trackOf(bytes: Buffer, { start }: BoxPlace): { track: number; defaults: Defaults } {
  const flags = flagsAt(bytes, start);
  if ((flags & ~KNOWN_TRACK) !== 0 || (flags & TRACK.fromHeader) === 0)
    throw new VideoIndexError('a track of a fragment has an unknown form.');
  let at = start + BOX_HEADER_BYTES + 8;
  const next = (flag: number) => {
    if ((flags & flag) === 0) return undefined;
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  const track = bytes.readUInt32BE(start + BOX_HEADER_BYTES + 4);
  return {
    track,
    defaults: { duration: next(TRACK.duration), size: next(TRACK.size), flags: next(TRACK.flags) },
  };
}

function samplesOf(
  bytes: Buffer,
  { start, end }: BoxPlace,
  defaults: Defaults,
): Pick<SampleRun, 'durations' | 'sizes' | 'flags' | 'offset'> {
  const kind = flagsAt(bytes, start);
  if ((kind & ~KNOWN_RUN) !== 0 || (kind & RUN.offset) === 0)
    throw new VideoIndexError('a run of samples has an unknown form.');
  let at = start + BOX_HEADER_BYTES + 4;
  const next = () => {
    at += 4;
    if (at > end) throw new VideoIndexError('a run of samples is not complete.');
    return bytes.readUInt32BE(at - 4);
  };
  const count = next();
  if (count > MAX_SAMPLES) throw new VideoIndexError('a fragment has too many samples.');
  const offset = next();
  const firstFlags = kind & RUN.firstFlags ? next() : undefined;
  const value = (flag: number, other: number | undefined) => {
    const found = kind & flag ? next() : other;
    if (found === undefined) throw new VideoIndexError('a sample has no duration, size or flags.');
    return found;
  };
  const [durations, sizes, flags]: [number[], number[], number[]] = [[], [], []];
  for (let nth = 0; nth < count; nth++) {
    durations.push(value(RUN.duration, defaults.duration));
    sizes.push(value(RUN.size, defaults.size));
    flags.push(value(RUN.flags, nth === 0 ? (firstFlags ?? defaults.flags) : defaults.flags));
  }
  return { durations, sizes, flags, offset };
}

function flagsAt(bytes: Buffer, start: number): number {
  return bytes.readUInt32BE(start + BOX_HEADER_BYTES) & 0xffffff;
}

function requireTypes(boxes: readonly BoxPlace[], types: readonly string[]): void {
  const other = boxes.find(({ type }) => !types.includes(type));
  if (other) throw new VideoIndexError(`a fragment has a box "${other.type}".`);
}
