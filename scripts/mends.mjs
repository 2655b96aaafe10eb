/**
 * Removes safeguards from the code to check that tests fail without them. Passes its arguments on. See
 * docs/testing.md.
 */
import { build } from './build.mjs';
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup('test');
  await build();
  const { code } = await runNode(['--import', 'tsx', 'test/mends/main.ts', ...process.argv.slice(2)]);
  process.exitCode = code;
});
