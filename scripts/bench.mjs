/**
 * Measures this project and comparable projects. Passes its arguments on. With `limits` as the first
 * argument, it runs the end-to-end tests that measure the project's own limits; further arguments choose
 * among their files. See docs/benchmarks.md.
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
