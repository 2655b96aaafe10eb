import { buffer } from 'node:stream/consumers';
import type { RecordedFragment } from '../../sessions/recordings/recording-record.js';
import { listedSeconds, type FragmentList } from '../fragment-list.js';
import type { RecordingReader } from '../recording-reader.js';
import { withDuration } from '../boxes/video-duration.js';
import { BOX_HEADER_BYTES, VideoIndexError } from '../boxes/boxes.js';
import { fragmentGroups, type FragmentGroup } from './fragment-groups.js';
import {
  joinedHeader,
  joinedTracks,
  sampleBytesOf,
  type FragmentPart,
  type JoinedTrack,
} from './joined-fragment.js';
import { isKeyFrame, MAX_SAMPLES, sampleRunsOf, sumOf } from './sample-runs.js';
import { segmentIndex, segmentIndexBytes, videoTrackOf, type IndexReference } from './segment-index.js';
import { StreamBytes } from './stream-bytes.js';
import type { VideoTarget } from './video-target.js';

/** Maximum size of the header of a fragment in bytes. */
const MAX_HEADER_BYTES = 4 * 1024 * 1024;
/**
 * Maximum size in bytes of a group of fragments that is held in memory. A larger group is read again for each
 * track.
 */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

/** Options of {@link writeIndexedVideo}. */
export interface IndexedVideoOptions {
  /** Reads the video. */
  reader: Pick<RecordingReader, 'read'>;
  list: FragmentList;
  /** Opens the new file. `headBytes`: size of its first part, the initialisation segment and the index. */
  open: (headBytes: number) => VideoTarget;
  signal: AbortSignal;
}

/**
 * Writes a video again with one fragment for each key frame, and with an index of these fragments. Samples
 * keep their bytes and times. Holds the headers of one new fragment and at most {@link MAX_HELD_BYTES} of its
 * samples in memory. Resolves to the parts of the new file. Throws {@link VideoIndexError} if the video does
 * not have the form that the recorder writes.
 */
export async function writeIndexedVideo(options: IndexedVideoOptions): Promise<FragmentList> {
  const { reader, list, open, signal } = options;
  const groups = fragmentGroups(list.fragments);
  const init = await buffer(reader.read('video', { start: 0, end: list.init - 1 }));
  const pictures = videoTrackOf(init);
  const index = segmentIndexBytes(groups.length);
  const target = open(list.init + index);
  const references: IndexReference[] = [];
  const fragments: RecordedFragment[] = [];
  let offset = list.init + index;
  for (const group of groups) {
    signal.throwIfAborted();
    const source = await sourceOf(reader, group);
    const parts = await partsOf(source, group);
    const tracks = joinedTracks(parts, pictures.id);
    const header = joinedHeader(tracks, fragments.length + 1);
    await target.write(header);
    for (const { track } of tracks) await copyTrack(source, { parts, track, target });
    await target.endPart();
    const size = header.length + sumOf(parts.map(({ sampleBytes }) => sampleBytes));
    references.push({ size, ...picturesOf(tracks, pictures.id) });
    const { time, keyFrame } = group[0];
    const last = group.at(-1) ?? group[0];
    fragments.push({ time, duration: last.time + last.duration - time, offset, size, keyFrame });
    offset += size;
  }
  const head = withDuration(init, listedSeconds(list));
  await target.writeHead(Buffer.concat([head, segmentIndex(pictures, references)]));
  return { sealed: list.sealed, live: false, init: list.init, index, fragments };
}

/** Reads the headers of a group's fragments. */
async function partsOf(source: GroupSource, group: FragmentGroup): Promise<FragmentPart[]> {
  return await withBytes(source, async (bytes) => {
    const parts: FragmentPart[] = [];
    let samples = 0;
    for (const { size } of group) {
      const start = await bytes.take(BOX_HEADER_BYTES);
      const headerBytes = start.readUInt32BE(0);
      if (headerBytes < BOX_HEADER_BYTES || headerBytes > Math.min(size - BOX_HEADER_BYTES, MAX_HEADER_BYTES))
        throw new VideoIndexError('a fragment has a wrong size.');
      const header = Buffer.concat([start, await bytes.take(headerBytes - BOX_HEADER_BYTES)]);
      const content = await bytes.take(BOX_HEADER_BYTES);
      if (content.toString('latin1', 4) !== 'mdat' || content.readUInt32BE(0) !== size - headerBytes)
        throw new VideoIndexError('a fragment is not a header followed by its samples.');
      const sampleBytes = size - headerBytes - BOX_HEADER_BYTES;
      await bytes.skip(sampleBytes);
      const runs = sampleRunsOf(header);
      parts.push({ runs, headerBytes, sampleBytes });
      samples += sumOf(runs.map(({ sizes }) => sizes.length));
      if (samples > MAX_SAMPLES) throw new VideoIndexError('too many samples follow a key frame.');
    }
    return parts;
  });
}

/** Copies the samples of one track in a group's fragments. */
async function copyTrack(
  source: GroupSource,
  { parts, track, target }: { parts: readonly FragmentPart[]; track: number; target: VideoTarget },
): Promise<void> {
  await withBytes(source, async (bytes) => {
    for (const part of parts) {
      await bytes.skip(part.headerBytes + BOX_HEADER_BYTES);
      let at = 0;
      for (const { place, size } of sampleBytesOf(part, track)) {
        await bytes.skip(place - at);
        for await (const piece of bytes.pass(size)) await target.write(piece);
        at = place + size;
      }
      await bytes.skip(part.sampleBytes - at);
    }
  });
}

/**
 * Returns the start and the duration of the video track in a new fragment. Throws if its first picture is not
 * a key frame.
 */
function picturesOf(tracks: readonly JoinedTrack[], id: number): { time: number; duration: number } {
  const pictures = tracks.find(({ track }) => track === id);
  if (!pictures || !isKeyFrame(pictures.flags[0] ?? 0))
    throw new VideoIndexError('a fragment does not start with a key frame.');
  return { time: pictures.time, duration: sumOf(pictures.durations) };
}

/** Function that reads the bytes of a group. It can be called several times. */
type GroupSource = () => AsyncIterable<unknown>;

async function sourceOf(reader: Pick<RecordingReader, 'read'>, group: FragmentGroup): Promise<GroupSource> {
  const last = group.at(-1) ?? group[0];
  const range = { start: group[0].offset, end: last.offset + last.size - 1 };
  const read = () => reader.read('video', range);
  if (range.end - range.start >= MAX_HELD_BYTES) return read;
  const held = await buffer(read());
  return async function* () {
    yield held;
  };
}

async function withBytes<T>(source: GroupSource, use: (bytes: StreamBytes) => Promise<T>): Promise<T> {
  const bytes = new StreamBytes(source());
  try {
    return await use(bytes);
  } finally {
    await bytes.close();
  }
}
