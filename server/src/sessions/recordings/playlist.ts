import type { RecordedFragment } from './recording-record.js';

/** Options of a playlist. */
export interface PlaylistOptions {
  /** True if no segment will follow. */
  complete: boolean;
  /** Address of the video, relative to the playlist. */
  video: string;
}

/**
 * Returns an HLS playlist (RFC 8216) of byte ranges of the video file. Each segment starts with a key frame.
 */
export function playlistOf(
  { init, fragments }: { init: number; fragments: readonly RecordedFragment[] },
  { complete, video }: PlaylistOptions,
): string {
  const segments = segmentsOf(fragments);
  const longest = Math.max(1, ...segments.map(({ duration }) => Math.ceil(duration)));
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
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

/** Joins the fragments from each key frame to the next. */
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
