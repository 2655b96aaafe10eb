/**
 * Builds and plays the projects of the guides, one after the other. `GUIDE=nuxt` takes one alone. See
 * docs/testing.md.
 */
import { build } from './build.mjs';
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup('test');
  await build();
  const { code } = await runNode(['--import', 'tsx', '--test', 'test/guides/guides.test.ts']);
  process.exitCode = code;
});
