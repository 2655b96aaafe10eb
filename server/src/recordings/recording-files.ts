import type { RecordingFile } from '../sessions/recordings/recording-ports.js';

/**
 * Names of the files of a recording. The video is in `live` until it has an index, and then in `video`. For
 * the lines of `fragments` see `lineOf`.
 */
export const FILE_NAMES = {
  video: 'video.mp4',
  live: 'live.mp4',
  events: 'events.jsonl',
  fragments: 'fragments.jsonl',
} as const;

/** Returns the name of a file of a recording. */
export function fileNameOf(file: RecordingFile, { live }: { live: boolean }): string {
  return file === 'video' && live ? FILE_NAMES.live : FILE_NAMES[file];
}
