import { median, percentile } from '../statistics.js';
import type { CongestionControl, LinkSpec } from './link.js';
import type { TcpCounters } from './tcp-counters.js';

/** Figures of one target over one link. */
export interface LinkResult {
  link: LinkSpec;
  congestion: CongestionControl;
  title: string;
  /** Milliseconds from a press to the changed pixel, of all rounds. */
  clicks: number[];
  lostClicks: number;
  /** Kilobytes that were sent to the viewer in the 400 ms before each press. */
  kilobytesBefore: number[];
  /** Bytes to the viewer for a click, kilobytes. */
  kilobytesPerClick: number[];
  /** Recoveries of lost packets during the clicks, on both sides. */
  recoveries: TcpCounters[];
  framesPerSecond: number[];
  longestGap: number[];
  megabits: number[];
  failures: string[];
}

const HEADER = [
  'round trip (ms) / loss (%) / rate (Mbit/s)',
  'congestion control',
  'target',
  'click to pixel p50 / p95 (ms)',
  'clicks (lost)',
  'kB before a click p50 / p95',
  'kB for a click',
  'loss probes, timeouts, SACK recoveries for 100 clicks',
  'scrolling frames/s (longest gap, ms)',
  'Mbit/s',
];

/** The results as a Markdown table. */
export function linkTable(results: readonly LinkResult[]): string {
  const rows = [HEADER, HEADER.map(() => '---'), ...results.map(row)];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function row(result: LinkResult): string[] {
  const { link, clicks, lostClicks, kilobytesBefore, recoveries } = result;
  const each = (name: keyof TcpCounters) => {
    const sum = recoveries.reduce((total, counters) => total + counters[name], 0);
    return ((sum / (clicks.length + lostClicks)) * 100).toFixed(0);
  };
  return [
    `${link.roundTripMs} / ${link.loss * 100} / ${link.megabits}`,
    result.congestion,
    result.title,
    `${number(median(clicks))} / ${number(percentile(clicks, 0.95))}`,
    `${clicks.length} (${lostClicks})`,
    `${number(median(kilobytesBefore))} / ${number(percentile(kilobytesBefore, 0.95))}`,
    number(median(result.kilobytesPerClick), 1),
    `${each('TCPLossProbes')}, ${each('TCPTimeouts')}, ${each('TCPSackRecovery')}`,
    `${number(median(result.framesPerSecond), 1)} (${number(Math.max(...result.longestGap))})`,
    number(median(result.megabits), 1),
  ];
}

function number(value: number, digits = 0): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '-';
}
