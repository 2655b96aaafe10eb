/** Measures this project beside its peers; arguments are passed on. See docs/benchmarks.md. */
import { build } from './build.mjs';
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup('bench');
  await build();
  const { code } = await runNode(['--import', 'tsx', 'test/bench/main.ts', ...process.argv.slice(2)]);
  process.exitCode = code;
});
