import type { Measures } from './fake-service-protocol.js';
import { judgeSlope, slopeOf, type Sample } from './slope.js';

/** The most that a service may grow, in megabytes an hour. */
export const MOST_MB_PER_HOUR = 5;
const MEGABYTE = 1_000_000;

/** Figures that must not grow, before and after. */
export interface Comparison {
  what: string;
  before: number;
  after: number;
}

/** Compares the counts of two moments. */
export function compareCounts(before: Measures, after: Measures): Comparison[] {
  return Object.entries(after.counts).map(([what, count]) => ({
    what,
    before: before.counts[what] ?? 0,
    after: count,
  }));
}

/** The service's memory at a moment. */
export interface MemorySample extends Pick<Measures, 'rss' | 'heapUsed' | 'external'> {
  /** Milliseconds. */
  at: number;
  /** Sessions that had come and gone. */
  sessions: number;
}

/** Prints what was counted and how memory grew; answers how many of these are not as they should be. */
export function printReport(
  title: string,
  compared: readonly Comparison[],
  memory: readonly MemorySample[],
): number {
  const width = Math.max(...compared.map(({ what }) => what.length));
  console.log(`\n${title}`);
  for (const { what, before, after } of compared) {
    const verdict = after > before ? 'MORE' : 'ok';
    console.log(
      `  ${what.padEnd(width)}  ${String(before).padStart(6)}  ${String(after).padStart(6)}  ${verdict}`,
    );
  }
  const more = compared.filter(({ before, after }) => after > before).length;
  const rss = overTime(memory, 'rss');
  const verdict = judgeSlope(slopeOf(rss), MOST_MB_PER_HOUR);
  const words = { proved: 'ok', leak: 'A LEAK', unsure: 'too short to tell, see --minutes' };
  console.log(`  memory (RSS), ${describe(rss)}: ${words[verdict]}`);
  // Not judged: they tell what the service holds from what its memory manager has not given back.
  for (const [name, key] of [
    ['heap in use', 'heapUsed'],
    ['buffers', 'external'],
  ] as const) {
    const { slope, margin } = slopeOf(
      memory.map((one) => ({ at: one.sessions, value: one[key] / KILOBYTE })),
    );
    const each = `${slope.toFixed(2)} ± ${margin.toFixed(2)} kB a session`;
    console.log(`  ${name}, ${describe(overTime(memory, key))}, ${each}`);
  }
  for (const key of ['rss', 'heapUsed'] as const)
    console.log(
      `  ${key}: ${overTime(memory, key)
        .map(({ value }) => value.toFixed(1))
        .join(' ')}`,
    );
  return more + (verdict === 'leak' ? 1 : 0);
}

const HOUR_MS = 3_600_000;
const KILOBYTE = 1_000;

/** Megabytes by hours. */
function overTime(memory: readonly MemorySample[], key: 'rss' | 'heapUsed' | 'external'): Sample[] {
  return memory.map((sample) => ({ at: sample.at / HOUR_MS, value: sample[key] / MEGABYTE }));
}

function describe(samples: readonly Sample[]): string {
  const { slope, margin } = slopeOf(samples);
  const [first, last] = [samples[0], samples.at(-1)].map((sample) => (sample?.value ?? 0).toFixed(1));
  return `${samples.length} samples: ${first} MB, then ${last} MB; ${slope.toFixed(1)} ± ${margin.toFixed(1)} MB an hour`;
}
