import { parseArgs } from 'node:util';
import { Copy } from './copy.js';
import { buildService, fails } from './runs.js';
import { GUARDS } from './guards.js';

/**
 * Removes every guard once, and reports whether its tests fail.
 *
 * --only TEXT   only guards whose name contains this; can be repeated
 * --list        prints the names of the guards
 */
const OPTIONS = { only: { type: 'string', multiple: true }, list: { type: 'boolean' } } as const;

const { values } = parseArgs({ options: OPTIONS });
const { only } = values;
const guards = GUARDS.filter(({ name }) => only?.some((text) => name.includes(text)) ?? true);
if (values.list) console.log(guards.map(({ name }) => name).join('\n'));
else await run();

async function run(): Promise<void> {
  const copy = await Copy.make();
  try {
    for (const { name, edits, proofs } of guards) {
      await copy.without(edits, async () => {
        if (proofs.some(({ file }) => file.startsWith('test/e2e/'))) await buildService(copy);
        for (const proof of proofs) {
          const found = await fails(copy, proof);
          if (!found) process.exitCode = 1;
          console.log(`${found ? 'found ' : 'MISSED'} | ${name} | ${proof.title} | ${proof.file}`);
        }
      });
    }
  } finally {
    await copy.remove();
  }
}
