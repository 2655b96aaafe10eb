/**
 * Tests a cluster while its nodes, its network and its database fail, and prints a table. Passes its
 * arguments on. See docs/scale.md.
 */
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

/** Uses the table's own limits. `STRICT_TIMES=0` is for a busy machine. */
const EXACT = { STRICT_TIMES: process.env.STRICT_TIMES ?? '1' };

await main(async () => {
  await setup('cluster');
  const args = ['--import', 'tsx', 'test/cluster/nemesis/main.ts', ...process.argv.slice(2)];
  const { code } = await runNode(args, { env: EXACT });
  process.exitCode = code;
});
