import type { RecordedFragment } from './recording-record.js';
import { segmentsOf } from './video-index.js';

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
