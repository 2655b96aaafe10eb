import { NOTHING } from './counts.mjs';
import { TOOLS } from './paths.mjs';
import { runNode } from './run.mjs';
import { firstLine } from './troubles.mjs';

/** All checks of the code that do not run it. */
const CHECKS = [
  { name: 'types', args: [TOOLS.tsc, '-b'] },
  {
    name: 'lint',
    args: [TOOLS.eslint, '.', '--max-warnings=0', '--cache', '--cache-location', '.build/eslint-cache'],
  },
  { name: 'format', args: [TOOLS.prettier, '--check', '--log-level', 'warn', '.'] },
  { name: 'imports', args: ['scripts/check-imports.mjs'] },
  { name: 'comments', args: ['scripts/check-comments.mjs'] },
  { name: 'proofs', args: ['scripts/check-proofs.mjs'] },
];

async function check({ name, args }) {
  const { code, output } = await runNode(args, { collect: true, aside: true });
  const passed = code === 0;
  return { name, passed, output, words: passed ? `  ✓ ${name}` : `\n  ✗ ${name}\n${output}` };
}

/**
 * Runs the checks at the same time, and with low priority. Resolves with the input of {@link printChecks}.
 */
export function startStaticChecks() {
  return Promise.all(CHECKS.map(check));
}

/** Prints the output of the checks and returns the counts, one test for each check. */
export function printChecks(checked) {
  for (const { words } of checked) console.log(words);
  const bad = checked.filter(({ passed }) => !passed);
  const troubles = bad.map(({ name, output }) => ({ kind: 'failed', test: name, error: firstLine(output) }));
  return { ...NOTHING, passed: CHECKS.length - bad.length, failed: bad.length, troubles };
}
