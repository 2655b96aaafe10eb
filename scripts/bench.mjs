/**
 * Measures this project beside its peers; arguments are passed on. `limits` instead holds it to its own limits, by the end-to-end tests
 * that measure; further arguments choose among their files. See docs/benchmarks.md.
 */
import { build } from './build.mjs';
import { TOOLS } from './lib/paths.mjs';
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  const [first, ...rest] = process.argv.slice(2);
  const limits = first === 'limits';
  await setup(limits ? 'test' : 'bench');
  await build();
  const { code } = limits
    ? await runNode(['--import', 'tsx', 'test/bench/limits.ts', TOOLS.playwright, ...rest])
    : await runNode(['--import', 'tsx', 'test/bench/main.ts', ...process.argv.slice(2)]);
  process.exitCode = code;
});
