import type { Measures } from './fake-service-protocol.js';
import { judgeSlope, slopeOf, type Sample } from './slope.js';

/** The most that a service may grow, in megabytes an hour. */
export const MOST_MB_PER_HOUR = 5;
const MEGABYTE = 1_000_000;

/** What must not become more, before and after. */
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
export interface MemorySample extends Pick<Measures, 'rss' | 'heapUsed'> {
  /** Milliseconds. */
  at: number;
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
  const megabytes = (value: (sample: MemorySample) => number): Sample[] =>
    memory.map((sample) => ({ at: sample.at, value: value(sample) / MEGABYTE }));
  const rss = megabytes((sample) => sample.rss);
  const verdict = judgeSlope(slopeOf(rss), MOST_MB_PER_HOUR);
  const words = { proved: 'ok', leak: 'A LEAK', unsure: 'too short to tell, see --minutes' };
  console.log(`  memory (RSS), ${describe(rss)}: ${words[verdict]}`);
  // Not judged: it tells what the service holds from what its memory manager has not given back.
  console.log(`  heap in use, ${describe(megabytes((sample) => sample.heapUsed))}`);
  return more + (verdict === 'leak' ? 1 : 0);
}

function describe(samples: readonly Sample[]): string {
  const { perHour, margin } = slopeOf(samples);
  const [first, last] = [samples[0], samples.at(-1)].map((sample) => (sample?.value ?? 0).toFixed(1));
  return `${samples.length} samples: ${first} MB, then ${last} MB; ${perHour.toFixed(1)} ± ${margin.toFixed(1)} MB an hour`;
}
