/** What a cluster does when its nodes, its network and its database fail, as a table; arguments are passed on. See docs/scale.md. */
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

/** The table's own limits; `STRICT_TIMES=0` for a busy machine. */
const EXACT = { STRICT_TIMES: process.env.STRICT_TIMES ?? '1' };

await main(async () => {
  await setup('cluster');
  const args = ['--import', 'tsx', 'test/cluster/nemesis/main.ts', ...process.argv.slice(2)];
  const { code } = await runNode(args, { env: EXACT });
  process.exitCode = code;
});
