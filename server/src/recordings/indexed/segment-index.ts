import {
  afterTimes,
  BOX_HEADER_BYTES,
  boxesIn,
  boxesInside,
  boxInside,
  boxOf,
  longWord,
  VERSION_1,
  VideoIndexError,
  words,
} from '../boxes/boxes.js';

/** Number of bytes of an index before its references. */
const FIXED_BYTES = 40;
const REFERENCE_BYTES = 12;
/** Maximum number of references in an index. The format has 16 bits for this number. */
export const MAX_REFERENCES = 65_535;
/**
 * Bits of a reference: the fragment starts with a key frame, and its pictures are decoded in the order in
 * which they are shown.
 */
const STARTS_WITH_KEY_FRAME = 0x90000000;

/** The video track of a file. */
export interface VideoTrack {
  id: number;
  /** Ticks per second. */
  timescale: number;
}

/** One fragment in an index. */
export interface IndexReference {
  /** Bytes of the fragment. */
  size: number;
  /** Start of its first picture, in ticks of the track. */
  time: number;
  /** Number of ticks for which its pictures are shown. */
  duration: number;
}

/** Returns the size in bytes of an index with this many references. */
export function segmentIndexBytes(count: number): number {
  return FIXED_BYTES + REFERENCE_BYTES * count;
}

/**
 * Returns the index of a video (`sidx`, ISO 14496-12, 8.16.3). Its place is directly before the first
 * fragment. Each reference is one fragment that starts with a key frame.
 */
export function segmentIndex({ id, timescale }: VideoTrack, references: readonly IndexReference[]): Buffer {
  const start = references[0]?.time ?? 0;
  const rows = references.flatMap(({ size, time, duration }, nth) => {
    // The times of an index must have no gaps, so each fragment lasts until the next fragment.
    const shown = (references[nth + 1]?.time ?? time + duration) - time;
    return [size, shown, STARTS_WITH_KEY_FRAME];
  });
  const head = [words([VERSION_1, id, timescale]), longWord(start), longWord(0), words([references.length])];
  return boxOf('sidx', ...head, words(rows));
}

/** Finds the video track in an initialisation segment. Throws {@link VideoIndexError}. */
export function videoTrackOf(init: Buffer): VideoTrack {
  const movie = boxesIn(init, 0, init.length).find(({ type }) => type === 'moov');
  const tracks = movie ? boxesInside(init, movie).filter(({ type }) => type === 'trak') : [];
  for (const track of tracks) {
    const media = boxInside(init, track, 'mdia');
    const handler = boxInside(init, media, 'hdlr').start + BOX_HEADER_BYTES + 8;
    if (init.toString('latin1', handler, handler + 4) !== 'vide') continue;
    const [header, clock] = [boxInside(init, track, 'tkhd'), boxInside(init, media, 'mdhd')];
    return {
      id: init.readUInt32BE(afterTimes(init, header)),
      timescale: init.readUInt32BE(afterTimes(init, clock)),
    };
  }
  throw new VideoIndexError('it has no video track.');
}
