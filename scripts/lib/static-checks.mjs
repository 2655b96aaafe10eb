import { TOOLS } from './paths.mjs';
import { runNode } from './run.mjs';

/** Everything that can be said about the code without running it. */
const CHECKS = [
  { name: 'types', args: [TOOLS.tsc, '-b'] },
  {
    name: 'lint',
    args: [TOOLS.eslint, '.', '--max-warnings=0', '--cache', '--cache-location', '.build/eslint-cache'],
  },
  { name: 'format', args: [TOOLS.prettier, '--check', '--log-level', 'warn', '.'] },
  { name: 'imports', args: ['scripts/check-imports.mjs'] },
];

async function check({ name, args }) {
  const { code, output } = await runNode(args, { collect: true });
  const passed = code === 0;
  console.log(passed ? `  ✓ ${name}` : `\n  ✗ ${name}\n${output}`);
  return passed;
}

/** Runs the checks side by side and answers the counts, one test each. */
export async function runStaticChecks() {
  const passed = (await Promise.all(CHECKS.map(check))).filter(Boolean).length;
  return { passed, failed: CHECKS.length - passed, skipped: 0 };
}
