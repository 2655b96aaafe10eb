import {
  BOX_HEADER_BYTES,
  boxHeader,
  boxOf,
  longWord,
  VERSION_1,
  VideoIndexError,
  words,
} from '../boxes/boxes.js';
import { sumOf, type SampleRun } from './sample-runs.js';

/** Largest fragment in bytes. A reference in a segment index has 31 bits for the size. */
const MAX_BYTES = 2 ** 31 - 1;
/** Flags of `tfhd`: default duration, default flags, and offsets from the start of the `moof` box. */
const TRACK_FLAGS = 0x20028;
/**
 * Flags of `trun`: data offset and sample sizes. The flags for durations and sample flags are added if these
 * values differ between samples.
 */
const RUN = { placeAndSize: 0x201, duration: 0x100, flags: 0x400 } as const;

/** A fragment whose samples become a part of a longer fragment. */
export interface FragmentPart {
  runs: readonly SampleRun[];
  /** Size of its header (`moof`) in bytes. */
  headerBytes: number;
  /** Size of all its samples in bytes. */
  sampleBytes: number;
}

/** A range of a part's sample bytes. `place` is the offset in bytes from the start of the first sample. */
export interface SampleBytes {
  place: number;
  size: number;
}

/** All samples of one track in a new fragment. Their bytes are adjacent. */
export type JoinedTrack = Omit<SampleRun, 'offset'>;

/**
 * Joins the samples of several fragments, separately for each track. Returns the tracks in the order of their
 * bytes in the new fragment. The video track is last. All samples keep their times.
 *
 * @param pictures number of the video track
 */
export function joinedTracks(parts: readonly FragmentPart[], pictures: number): JoinedTrack[] {
  const runs = parts.flatMap((part) => part.runs.filter(({ sizes }) => sizes.length > 0));
  const tracks = [...new Set(runs.map(({ track }) => track))];
  return [
    ...tracks.filter((track) => track !== pictures),
    ...tracks.filter((track) => track === pictures),
  ].map((track) => joined(runs.filter((run) => run.track === track)));
}

/**
 * Returns the byte ranges of a track's samples in a part, in the order of the samples. Throws {@link
 * VideoIndexError} if the samples of all tracks do not cover the part's bytes exactly, or if the track's
 * samples are not in the order of their times.
 */
export function sampleBytesOf(
  { runs, headerBytes, sampleBytes }: FragmentPart,
  track: number,
): SampleBytes[] {
  const start = headerBytes + BOX_HEADER_BYTES;
  const places = runs.map((run) => ({ place: run.offset - start, size: sumOf(run.sizes), track: run.track }));
  let end = 0;
  for (const { place, size } of [...places].sort((a, b) => a.place - b.place)) {
    if (place !== end) throw new VideoIndexError('the samples do not cover their fragment exactly.');
    end += size;
  }
  if (end !== sampleBytes) throw new VideoIndexError('the samples do not cover their fragment exactly.');
  const own = places.filter((run) => run.track === track);
  if (own.some(({ place }, index) => place < (own[index - 1]?.place ?? 0)))
    throw new VideoIndexError('the samples are not in the order of their times.');
  return own;
}

/**
 * Returns the header of a new fragment: `moof`, and the header of `mdat`. The caller writes the bytes of the
 * tracks after it. Each track has only one run. With several runs, FFmpeg and Chromium put the samples of a
 * fragment into a wrong order when they read a later fragment first.
 *
 * @param number the fragment's number in the file, from 1
 */
export function joinedHeader(tracks: readonly JoinedTrack[], number: number): Buffer {
  const sizes = tracks.map((track) => sumOf(track.sizes));
  const headerWith = (start: number) =>
    boxOf(
      'moof',
      boxOf('mfhd', words([0, number])),
      ...tracks.map((track, nth) => trackBox(track, start + sumOf(sizes.slice(0, nth)))),
    );
  // The offsets of the samples depend on the size of the header.
  const { length } = headerWith(0);
  if (length + BOX_HEADER_BYTES + sumOf(sizes) > MAX_BYTES) throw new VideoIndexError('a part is too long.');
  return Buffer.concat([headerWith(length + BOX_HEADER_BYTES), boxHeader('mdat', sumOf(sizes))]);
}

/**
 * Joins the runs of one track. The recorder leaves a gap where a picture was late. Inside a run, each sample
 * begins where the previous sample ends. So the last sample before a gap lasts until the next sample.
 */
function joined(runs: readonly SampleRun[]): JoinedTrack {
  const [first] = runs;
  const track: JoinedTrack = {
    track: first?.track ?? 0,
    time: first?.time ?? 0,
    durations: [],
    sizes: [],
    flags: [],
  };
  let end = track.time;
  for (const { time, durations, sizes, flags } of runs) {
    const before = track.durations.pop();
    if (before !== undefined) {
      if (before + time - end < 0) throw new VideoIndexError('the times of the samples go back.');
      track.durations.push(before + time - end);
    }
    track.durations = track.durations.concat(durations);
    track.sizes = track.sizes.concat(sizes);
    track.flags = track.flags.concat(flags);
    end = time + sumOf(durations);
  }
  return track;
}

function trackBox({ track, time, durations, sizes, flags }: JoinedTrack, start: number): Buffer {
  const defaults = { duration: durations.at(-1) ?? 0, flags: flags.at(-1) ?? 0 };
  const hasDurations = durations.some((duration) => duration !== defaults.duration);
  const hasFlags = flags.some((value) => value !== defaults.flags);
  const kind = RUN.placeAndSize | (hasDurations ? RUN.duration : 0) | (hasFlags ? RUN.flags : 0);
  const samples = sizes.flatMap((size, nth) => [
    ...(hasDurations ? [durations[nth] ?? 0] : []),
    size,
    ...(hasFlags ? [flags[nth] ?? 0] : []),
  ]);
  return boxOf(
    'traf',
    boxOf('tfhd', words([TRACK_FLAGS, track, defaults.duration, defaults.flags])),
    boxOf('tfdt', words([VERSION_1]), longWord(time)),
    boxOf('trun', words([kind, sizes.length, start]), words(samples)),
  );
}
