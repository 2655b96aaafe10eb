import { execFileSync } from 'node:child_process';
import { cpus, release } from 'node:os';
import { CHROMIUM } from './chromium.js';
import type { ClickResult } from './click-probe.js';
import type { ScrollResult } from './scroll-probe.js';
import { median } from './statistics.js';

/** All measurements of one target: an entry per round, and a sentence for each failure. */
export interface TargetResults {
  name: string;
  title: string;
  clicks: ClickResult[];
  scrolling: ScrollResult[];
  failures: string[];
}

/** Describes the machine, because the figures depend on it. */
export function machine(): Record<string, string | number> {
  const [processor] = cpus();
  return {
    processor: processor?.model ?? 'unknown',
    cores: cpus().length,
    kernel: release(),
    node: process.version,
    chromium: execFileSync(CHROMIUM, ['--version'], { encoding: 'utf8' }).trim(),
  };
}

/** Returns the median over rounds of each field. */
export function medians<T extends object>(rounds: readonly T[]): T | undefined {
  const [first] = rounds;
  if (first === undefined) return undefined;
  const fields = Object.keys(first) as (keyof T)[];
  return Object.fromEntries(
    fields.map((field) => [field, median(rounds.map((round) => Number(round[field])))]),
  ) as T;
}

const number = (value: number | undefined, digits = 1): string =>
  value === undefined || Number.isNaN(value) ? 'failed' : value.toFixed(digits);

function row({ name, title, clicks, scrolling }: TargetResults): string[] {
  const click = medians(clicks);
  const scroll = medians(scrolling);
  const remote = name !== 'local' || scroll === undefined;
  return [
    title,
    click ? `${number(click.p50)} / ${number(click.p95)}` : 'failed',
    number(scroll?.framesPerSecond),
    number(scroll?.longestGap, 0),
    remote ? number(scroll?.megabits) : '-',
    remote ? number(scroll?.processorBesideChromium, 0) : '-',
    remote ? number(scroll?.processorWithChromium, 0) : '-',
  ];
}

const HEADER = [
  '',
  'click to pixel p50 / p95 (ms)',
  'frames/s',
  'longest gap (ms)',
  'Mbit/s',
  'server CPU without Chromium (% of a core)',
  'server CPU with Chromium (% of a core)',
];

/** The results as a Markdown table. */
export function table(results: readonly TargetResults[]): string {
  const rows = [HEADER, HEADER.map(() => '---'), ...results.map(row)];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
