import { parseArgs } from 'node:util';
import { notRun, type Fault, type Result } from './fault.js';
import { runFloods } from './floods/main.js';
import { FAULTS } from './rows/index.js';
import { runFault, Stage } from './stage.js';
import { tableOf } from './table.js';

/**
 * Runs all faults. Prints a table of the expected and the observed outcomes.
 *
 * --only TEXT   only rows whose name contains this text. Can be repeated
 * --short       only the rows that take seconds. `npm run test:all` runs all of them, `npm test` three
 * --list        prints the names of the rows
 */
const OPTIONS = {
  only: { type: 'string', multiple: true },
  short: { type: 'boolean' },
  list: { type: 'boolean' },
} as const;

interface Values {
  only?: string[];
  short?: boolean;
  list?: boolean;
}

/** `floods` as the first argument: the table of floods instead. */
const [section, ...rest] = process.argv.slice(2);
const floods = section === 'floods';
const { values } = floods ? { values: {} } : parseArgs({ options: OPTIONS });
const { only, short: onlyShort, list }: Values = values;
const rows = FAULTS.filter(
  ({ name, short }) => (!onlyShort || short) && (only?.some((text) => name.includes(text)) ?? true),
);
if (floods) process.exitCode = (await runFloods(rest)) ? 0 : 1;
else if (list) console.log(rows.map(({ name, short }) => `${short ? 'short ' : '      '}${name}`).join('\n'));
else await run();

/** Returns what is missing on this machine for a row. */
function leftOut({ root, possible }: Fault): string | undefined {
  if (root && process.getuid?.() !== 0) return 'root';
  return possible === false ? 'Python' : undefined;
}

async function run(): Promise<void> {
  const results: Result[] = [];
  let shared: Promise<Stage> | undefined;
  try {
    for (const fault of rows) {
      const reason = leftOut(fault);
      if (reason) {
        console.log(`left out, it takes ${reason}: ${fault.name}`);
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
