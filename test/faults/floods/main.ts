import { parseArgs } from 'node:util';
import { floodTable, judge, type FloodResult } from './flood-table.js';
import { FloodStage, type Round } from './flood-stage.js';
import { FLOOD_ROWS } from './rows.js';

/**
 * Measures the effect of a viewer that floods a session, or only seems to: the frames that other viewers
 * keep, and the time until the session disconnects the viewer.
 *
 * --only TEXT     only rows whose name contains this text. Can be repeated --rounds COUNT  number of runs of
 *   each row, default 3. The table has the medians
 */
const OPTIONS = {
  only: { type: 'string', multiple: true },
  rounds: { type: 'string', default: '3' },
} as const;

/** Runs the table of floods and prints it. Resolves to false if a row is not as expected. */
export async function runFloods(args: string[]): Promise<boolean> {
  const { only, rounds } = parseArgs({ args, options: OPTIONS }).values;
  const rows = FLOOD_ROWS.filter(({ name }) => only?.some((text) => name.includes(text)) ?? true);
  const results: FloodResult[] = [];
  try {
    for (const row of rows) {
      // The next row starts without the remains of a flood, such as tabs.
      const stage = await FloodStage.build();
      try {
        const seen: Round[] = [];
        for (let round = 0; round < Number(rounds); round++) seen.push(await stage.run(row));
        const result = judge(row, seen);
        results.push(result);
        console.log(`${result.differences.length === 0 ? 'ok    ' : 'not so'} ${row.name}`);
      } finally {
        await stage.close();
      }
    }
  } finally {
    console.log(`\n${floodTable(results)}`);
  }
  return results.every(({ differences }) => differences.length === 0);
}
