/** Names of the files of a recording. The list of fragments has one JSON array per line. */
export const FILE_NAMES = {
  video: 'video.mp4',
  events: 'events.jsonl',
  fragments: 'fragments.jsonl',
} as const;
