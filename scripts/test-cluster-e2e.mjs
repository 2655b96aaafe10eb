/**
 * Runs the end-to-end tests against three nodes behind HAProxy. Passes its arguments on as names of files.
 * With `CLUSTER_MODE=direct` in the environment, embed URLs lead to the nodes.
 */
import { build } from './build.mjs';
import { TOOLS } from './lib/paths.mjs';
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup('test');
  await build();
  const args = [TOOLS.playwright, 'test', ...process.argv.slice(2)];
  const { code } = await runNode(args, { env: { IN_CLUSTER: '1' } });
  process.exitCode = code;
});
