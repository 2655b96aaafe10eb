/** Measures leases and placement in very large clusters, and prints tables in Markdown. See docs/scale.md. */
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup();
  const { code } = await runNode(['--import', 'tsx', 'test/scale/main.ts']);
  process.exitCode = code;
});
