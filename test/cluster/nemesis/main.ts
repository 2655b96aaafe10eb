import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runFault, tableOf, type Fault, type Result } from './fault.js';
import { FAULTS } from './rows/index.js';

/**
 * Runs all faults of a cluster, and prints a table of them.
 *
 * --only TEXT     only rows whose name contains this text. Can be repeated
 * --at-once N     number of rows at the same time, each with its own cluster. 1 gives the best figures
 * --write         writes the table into docs/scale.md
 * --list          prints the names of the rows
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    'at-once': { type: 'string', default: '1' },
    write: { type: 'boolean' },
    list: { type: 'boolean' },
  },
});
const DOCUMENT = new URL('../../../docs/scale.md', import.meta.url);
const MARKS = ['<!-- faults -->', '<!-- /faults -->'] as const;

const { only } = values;
const rows = FAULTS.filter(({ name }) => only?.some((text) => name.includes(text)) ?? true);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (values.list) console.log(rows.map(({ name }) => name).join('\n'));
else await run();

async function run(): Promise<void> {
  const results = new Map<Fault, Result>();
  const left = [...rows];
  const lane = async () => {
    for (let fault = left.shift(); fault; fault = left.shift()) {
      const result = await runFault(fault);
      results.set(fault, result);
      const verdict = result.wrong.length === 0 ? 'ok    ' : 'not so';
      console.error(`${verdict} ${result.seconds.toFixed(0).padStart(4)} s  ${fault.name}`);
      for (const line of result.wrong) console.error(`         ${line}`);
      if (result.complaints) console.error(result.complaints.slice(-6_000));
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, lane));
  const all = rows.flatMap((fault) => results.get(fault) ?? []);
  const table = tableOf(all);
  console.log(`\n${table}`);
  if (values.write) await intoDocument(table);
  if (all.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
}

async function intoDocument(table: string): Promise<void> {
  const text = await readFile(DOCUMENT, 'utf8');
  const [begin, end] = MARKS.map((mark) => text.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin)
    throw new Error(`docs/scale.md has no ${MARKS.join(' … ')}.`);
  await writeFile(DOCUMENT, `${text.slice(0, begin)}${MARKS[0]}\n\n${table}\n\n${text.slice(end)}`);
}
