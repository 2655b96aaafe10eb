import { median } from '../statistics.js';

/** Milliseconds that the slowest seek should take. */
const GOAL_MS = 500;

/** Seeks in one recording. */
export interface SeekResult {
  /** Build of the service, as its `cli.js`. Undefined: this checkout. */
  build: string | undefined;
  encrypted: boolean;
  /** Bytes of the video. */
  size: number;
  /** Milliseconds until the first picture of the video is shown. */
  open: number;
  /** Milliseconds of each seek. */
  seeks: number[];
  /** Seeks that showed another picture than the one of their time. */
  wrong: number;
  /** Requests for parts of the video, and bytes of their answers. */
  requests: number;
  bytes: number;
}

const HEADER = [
  ...['a recording of three hours', 'size (MB)', 'open (ms)', 'seek, median / worst (ms)', 'goal (ms)'],
  ...['wrong pictures', 'requests', 'MB read'],
];

/** The results as a Markdown table. */
export function seekTable(results: readonly SeekResult[]): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  const rows = results.map(({ build, encrypted, size, open, seeks, wrong, requests, bytes }) => [
    ...[(encrypted ? 'encrypted' : 'plain') + (build ? `, ${build}` : ''), megabytes(size), open.toFixed(0)],
    `${median(seeks).toFixed(0)} / ${Math.max(...seeks).toFixed(0)}`,
    ...[`at most ${GOAL_MS}`, `${wrong} of ${seeks.length}`, `${requests}`, megabytes(bytes)],
  ]);
  return [HEADER, HEADER.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
