/**
 * Runs random actions of a difficult user on a difficult site. Passes its arguments on. See docs/testing.md.
 */
import { build } from './build.mjs';
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

/** Uses its own limits, unlike `npm test`. `STRICT_TIMES=0` is for a busy machine. */
const EXACT = { STRICT_TIMES: process.env.STRICT_TIMES ?? '1' };

await main(async () => {
  await setup('test');
  await build();
  const args = ['--import', 'tsx', 'test/walk/main.ts', ...process.argv.slice(2)];
  const { code } = await runNode(args, { env: EXACT });
  process.exitCode = code;
});
