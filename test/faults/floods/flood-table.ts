import type { Round } from './flood-stage.js';
import { KEPT, SENT_AWAY_SECONDS, type FloodRow } from './rows.js';

/** Result of a row: the medians of its rounds. */
export interface FloodResult {
  row: FloodRow;
  others: number;
  neighbours: number;
  gap: number;
  /** The latest disconnect in seconds. Undefined if the flooder was never disconnected. */
  sentAway: number | undefined;
  /** Each difference from the expectation, in words. */
  differences: readonly string[];
}

/** Compares the rounds of a row with its expectation. */
export function judge(row: FloodRow, rounds: readonly Round[]): FloodResult {
  const [others, neighbours, gap] = (['others', 'neighbours', 'gap'] as const).map((key) =>
    median(rounds.map((round) => round[key])),
  ) as [number, number, number];
  const differences: string[] = [];
  if (others < KEPT.others) differences.push(`others keep ${others.toFixed(0)} % of ${KEPT.others}`);
  if (neighbours < KEPT.neighbours)
    differences.push(`other sessions keep ${neighbours.toFixed(0)} % of ${KEPT.neighbours}`);
  const ends = rounds.filter(({ outcome }) => outcome.reason !== undefined);
  const slowest = Math.max(0, ...ends.map(({ outcome }) => outcome.lasted)) / 1_000;
  for (const { outcome } of rounds) {
    const { reason = 'stays' } = outcome;
    const allowed = row.mayBeCut ? !/flooding|rejected/.test(reason) : reason === (row.reason ?? 'stays');
    if (!allowed) differences.push(`${reason} instead of ${row.reason ?? 'stays'}: ${outcome.message}`);
  }
  if (row.reason && slowest > SENT_AWAY_SECONDS)
    differences.push(`sent away after ${slowest.toFixed(1)} s of ${SENT_AWAY_SECONDS}`);
  return { row, others, neighbours, gap, sentAway: ends.length > 0 ? slowest : undefined, differences };
}

const HEAD = ['one viewer', 'others', 'other sessions', 'longest gap', 'sent away after', ''];

/** The table of all rows, and below it each difference in words. */
export function floodTable(results: readonly FloodResult[]): string {
  const cells = results.map((result) => {
    const { row, others, neighbours, gap, sentAway, differences } = result;
    return [
      row.name,
      `${others.toFixed(0)} %`,
      `${neighbours.toFixed(0)} %`,
      `${gap.toFixed(0)} ms`,
      sentAway === undefined ? '–' : `${sentAway.toFixed(1)} s`,
      differences.length === 0 ? 'ok' : 'NOT SO',
    ];
  });
  const widths = HEAD.map((_name, column) =>
    Math.max(...[HEAD, ...cells].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  const failures = results.flatMap(({ row, differences }) =>
    differences.map((each) => `${row.name}: ${each}`),
  );
  const failed = results.filter(({ differences }) => differences.length > 0).length;
  const end = `${results.length - failed} as expected, ${failed} not`;
  return [line(HEAD), ...cells.map(line), '', ...failures, end].join('\n');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}
