import { BOX_HEADER_BYTES, boxHeader, boxOf, longWord, VideoIndexError, words } from './boxes.js';
import { sumOf, type SampleRun } from './sample-runs.js';

/** Largest fragment in bytes. References of an index have 31 bits for the size. */
const MAX_BYTES = 2 ** 31 - 1;
/** Flags of a track: default duration, default flags, and places from the start of the header. */
const TRACK_FLAGS = 0x20028;
/** Flags of a run: place, size of each sample; and if they differ, durations and flags. */
const RUN = { placeAndSize: 0x201, duration: 0x100, flags: 0x400 } as const;
/** Version 1 of a box. It has times of 64 bits. */
const VERSION_1 = 0x1000000;

/** A fragment whose samples become a part of a longer one. */
export interface FragmentPart {
  runs: readonly SampleRun[];
  /** Bytes of its header (`moof`). */
  headerBytes: number;
  /** Bytes of its samples. */
  sampleBytes: number;
}

/**
 * Returns the header of one fragment with the samples of several ones: `moof`, and the header of `mdat`. The
 * bytes of the samples follow in the same order. All samples keep their times.
 *
 * @param number of the fragment in the file, from 1
 */
export function joinedHeader(parts: readonly FragmentPart[], number: number): Buffer {
  const runs = placedRuns(parts);
  const sampleBytes = sumOf(parts.map((part) => part.sampleBytes));
  const tracks = [...new Set(runs.map(({ track }) => track))].map((id) =>
    withoutGaps(runs.filter(({ track }) => track === id)),
  );
  const headerWith = (start: number) =>
    boxOf('moof', boxOf('mfhd', words([0, number])), ...tracks.map((track) => trackBox(track, start)));
  // The places of the samples depend on the size of the header.
  const { length } = headerWith(0);
  if (length + BOX_HEADER_BYTES + sampleBytes > MAX_BYTES) throw new VideoIndexError('a part is too long.');
  return Buffer.concat([headerWith(length + BOX_HEADER_BYTES), boxHeader('mdat', sampleBytes)]);
}

/** Returns the runs of all parts, with their place in the joined samples. */
function placedRuns(parts: readonly FragmentPart[]): SampleRun[] {
  const runs: SampleRun[] = [];
  let start = 0;
  for (const part of parts) {
    for (const run of part.runs) {
      const place = run.offset - part.headerBytes - BOX_HEADER_BYTES;
      if (place < 0 || place + sumOf(run.sizes) > part.sampleBytes)
        throw new VideoIndexError('a sample is outside of its fragment.');
      if (run.sizes.length > 0) runs.push({ ...run, offset: start + place });
    }
    start += part.sampleBytes;
  }
  return runs;
}

/**
 * Returns the runs of one track with a last duration that reaches to the next run. Inside a fragment, a sample
 * begins where the one before it ends. The recorder leaves gaps where a picture was late.
 */
function withoutGaps(runs: readonly SampleRun[]): SampleRun[] {
  return runs.map((run, index) => {
    const next = runs[index + 1];
    if (!next) return run;
    const last = (run.durations.at(-1) ?? 0) + next.time - run.time - sumOf(run.durations);
    if (last < 0) throw new VideoIndexError('the times of the samples go back.');
    return { ...run, durations: [...run.durations.slice(0, -1), last] };
  });
}

function trackBox(runs: readonly SampleRun[], start: number): Buffer {
  const [first] = runs;
  const defaults = { duration: runs.at(-1)?.durations.at(-1) ?? 0, flags: runs.at(-1)?.flags.at(-1) ?? 0 };
  return boxOf(
    'traf',
    boxOf('tfhd', words([TRACK_FLAGS, first?.track ?? 0, defaults.duration, defaults.flags])),
    boxOf('tfdt', words([VERSION_1]), longWord(first?.time ?? 0)),
    ...runs.map((run) => runBox(run, defaults, start)),
  );
}

function runBox(
  { durations, sizes, flags, offset }: SampleRun,
  defaults: { duration: number; flags: number },
  start: number,
): Buffer {
  const hasDurations = durations.some((duration) => duration !== defaults.duration);
  const hasFlags = flags.some((flag) => flag !== defaults.flags);
  const kind = RUN.placeAndSize | (hasDurations ? RUN.duration : 0) | (hasFlags ? RUN.flags : 0);
  const samples = sizes.flatMap((size, nth) => [
    ...(hasDurations ? [durations[nth] ?? 0] : []),
    size,
    ...(hasFlags ? [flags[nth] ?? 0] : []),
  ]);
  return boxOf('trun', words([kind, sizes.length, start + offset]), words(samples));
}
