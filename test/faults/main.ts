import { parseArgs } from 'node:util';
import { notRun, type Result } from './fault.js';
import { FAULTS } from './rows/index.js';
import { runFault, Stage } from './stage.js';
import { tableOf } from './table.js';

/**
 * Every fault in one table: what is expected and what is seen.
 *
 * --only TEXT   the rows whose name has this in it; may be given several times
 * --short       the rows that belong to `npm test`
 * --list        the names of the rows
 */
const OPTIONS = {
  only: { type: 'string', multiple: true },
  short: { type: 'boolean' },
  list: { type: 'boolean' },
} as const;

const { values } = parseArgs({ options: OPTIONS });
const { only } = values;
const rows = FAULTS.filter(
  ({ name, short }) => (!values.short || short) && (only?.some((text) => name.includes(text)) ?? true),
);
if (values.list)
  console.log(rows.map(({ name, short }) => `${short ? 'short ' : '      '}${name}`).join('\n'));
else await run();

async function run(): Promise<void> {
  const results: Result[] = [];
  let shared: Promise<Stage> | undefined;
  try {
    for (const fault of rows) {
      if (fault.root && process.getuid?.() !== 0) {
        console.log(`left out, it takes root: ${fault.name}`);
        continue;
      }
      const result = await runFault(fault, () => (shared ??= Stage.build())).catch((error: unknown) =>
        notRun(fault, error),
      );
      results.push(result);
      console.log(`${result.differences.length === 0 ? 'ok    ' : 'not so'} ${fault.name}`);
    }
  } finally {
    await (await shared?.catch(() => undefined))?.close();
    console.log(`\n${tableOf(results)}`);
  }
  if (results.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
}
