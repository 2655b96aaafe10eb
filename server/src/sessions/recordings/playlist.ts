import type { RecordedFragment } from './recording-record.js';

/**
 * Target duration of all playlists in seconds. It must not change while a recording grows, so it is longer
 * than every usual segment. While the picture does not change, the recorder requests a key frame after at
 * most 240 seconds. The key frame may take some seconds to arrive.
 */
export const TARGET_SECONDS = 300;

/** Options of a playlist. */
export interface PlaylistOptions {
  /** True if the recording has ended. Then its last segment cannot grow. */
  complete: boolean;
  /** Address of the video, relative to the playlist. */
  video: string;
}

/**
 * Returns an HLS playlist (RFC 8216) of byte ranges of the video file. Each segment starts with a key frame,
 * and ends before the next key frame. A player loads a segment only once, so the list omits the last segment
 * while it may still grow.
 */
export function playlistOf(
  { init, fragments }: { init: number; fragments: readonly RecordedFragment[] },
  { complete, video }: PlaylistOptions,
): string {
  const all = segmentsOf(fragments);
  const segments = complete ? all : all.slice(0, -1);
  // Raises the target for a segment that is longer, which can happen if the host was stopped for minutes.
  const target = segments.reduce(
    (longest, { duration }) => Math.max(longest, Math.ceil(duration)),
    TARGET_SECONDS,
  );
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-PLAYLIST-TYPE:${complete ? 'VOD' : 'EVENT'}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${video}",BYTERANGE="${init}@0"`,
    ...segments.flatMap(({ duration, size, offset }) => [
      `#EXTINF:${duration.toFixed(3)},`,
      `#EXT-X-BYTERANGE:${size}@${offset}`,
      video,
    ]),
    ...(complete ? ['#EXT-X-ENDLIST'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Joins the fragments from each key frame to the next key frame. */
function segmentsOf(fragments: readonly RecordedFragment[]): RecordedFragment[] {
  const segments: RecordedFragment[] = [];
  for (const fragment of fragments) {
    const last = segments.at(-1);
    if (!last || fragment.keyFrame) segments.push({ ...fragment });
    else {
      last.size += fragment.size;
      last.duration = fragment.time + fragment.duration - last.time;
    }
  }
  return segments;
}
