import type { PageServer } from '../page-server.js';
import { shown } from '../shown.js';
import { median, pause, percentile } from '../statistics.js';
import { local } from '../targets/local.js';
import { build, ours } from '../targets/ours.js';
import type { Target } from '../targets/target.js';
import { vnc } from '../targets/vnc.js';
import {
  CHANGES,
  changePageIsShown,
  measureChange,
  timesOf,
  type Change,
  type ChangeResult,
} from './change-probe.js';

/** Time for a target to become steady after its first picture. */
const SETTLE_MS = 3_000;

/** Options of {@link measureChanges}. */
export interface ChangeOptions {
  rounds: number;
  /** Clicks for each kind of change in a round. */
  clicks: number;
  /** Other builds of this project, as their `cli.js`. */
  against: readonly string[];
}

/** The results of one target: for each kind of change, one entry for each round. */
export interface TargetChanges {
  name: string;
  title: string;
  results: Record<Change, ChangeResult[]>;
  failures: string[];
}

/** Measures changes of the whole screen and of a panel. The targets take turns. */
export async function measureChanges(
  pages: PageServer,
  { rounds, clicks, against }: ChangeOptions,
  tell: (text: string) => void,
): Promise<TargetChanges[]> {
  const others = against.map((cli, index) => build(`build ${index + 1} to compare with`, cli));
  const targets: readonly Target[] = [local, ours, ...others, vnc];
  const all = targets.map(({ name, title }): TargetChanges => {
    return { name, title, results: { solid: [], panel: [], dark: [], photograph: [] }, failures: [] };
  });
  for (let round = 1; round <= rounds; round++) {
    tell(`\nChanges, round ${round} of ${rounds}\n`);
    for (const [index, target] of targets.entries()) {
      const entry = all[index];
      if (!entry) continue;
      tell(`${target.title} … `);
      try {
        await measureTarget(target, pages.address('changes'), clicks, entry);
        tell('done\n');
      } catch (error) {
        const sentence = error instanceof Error ? error.message : String(error);
        entry.failures.push(`changes: ${sentence}`);
        tell(`failed: ${sentence}\n`);
      }
    }
  }
  return all;
}

function measureTarget(target: Target, page: string, clicks: number, entry: TargetChanges): Promise<void> {
  return shown(target, page, async ({ screen }) => {
    await changePageIsShown(screen);
    await pause(SETTLE_MS);
    for (const change of CHANGES) entry.results[change].push(await measureChange(screen, change, clicks));
  });
}

/** Titles of the kinds of changes in tables. */
export const CHANGE_TITLES: Record<Change, string> = {
  solid: 'whole screen black or white',
  panel: 'a panel of text',
  dark: 'a page of text turns dark or light',
  photograph: 'a photograph on the whole screen',
};

/** Returns the results as a Markdown table, with the ratio of the medians to noVNC. */
export function changeTable(all: readonly TargetChanges[]): string {
  const header = ['click to complete change, p50 / p95 (ms)', ...all.map(({ title }) => title)];
  const rows = CHANGES.flatMap((change) => [
    [CHANGE_TITLES[change], ...all.map(({ results }) => timesOf(results[change]))],
    ['… median, compared with noVNC', ...all.map(({ results }) => ratioOf(results[change], all, change))],
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Compares round by round, because the machine may be busier in some rounds. */
function ratioOf(results: readonly ChangeResult[], all: readonly TargetChanges[], change: Change): string {
  const peer = all.find(({ name }) => name === 'vnc')?.results[change] ?? [];
  const ratios = results.flatMap(({ times }, round) => {
    const other = peer[round];
    return other ? [percentile(times, 0.5) / percentile(other.times, 0.5)] : [];
  });
  return ratios.length === 0 ? '-' : median(ratios).toFixed(2);
}
