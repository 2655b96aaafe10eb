import { NOTHING } from './counts.mjs';
import { TOOLS } from './paths.mjs';
import { runNode } from './run.mjs';
import { firstLine } from './troubles.mjs';

const LINT = [TOOLS.eslint, '.', '--max-warnings=0', '--cache', '--cache-location', '.build/eslint-cache'];

/**
 * All checks of the code that do not run it, with the part of the tests that they belong to. Lint rules and
 * the format are in the rest: they take four minutes of a processor, and users notice none of them.
 */
const CHECKS = [
  { name: 'types', part: 'short', args: [TOOLS.tsc, '-b'] },
  { name: 'imports', part: 'short', args: ['scripts/check-imports.mjs'] },
  { name: 'comments', part: 'short', args: ['scripts/check-comments.mjs'] },
  { name: 'proofs', part: 'short', args: ['scripts/check-proofs.mjs'] },
  { name: 'lint', part: 'rest', args: LINT },
  { name: 'format', part: 'rest', args: [TOOLS.prettier, '--check', '--log-level', 'warn', '.'] },
];

async function check({ name, args }) {
  const { code, output } = await runNode(args, { collect: true, aside: true });
  const passed = code === 0;
  return { name, passed, output, words: passed ? `  ✓ ${name}` : `\n  ✗ ${name}\n${output}` };
}

/**
 * Runs the checks of a part (`all` for all of them) one after the other, and with low priority. Resolves with
 * the input of {@link printChecks}.
 */
export async function startStaticChecks(part = 'all') {
  const checked = [];
  for (const one of CHECKS) if (part === 'all' || one.part === part) checked.push(await check(one));
  return checked;
}

/** Prints the output of the checks and returns the counts, one test for each check. */
export function printChecks(checked) {
  for (const { words } of checked) console.log(words);
  const bad = checked.filter(({ passed }) => !passed);
  const troubles = bad.map(({ name, output }) => ({ kind: 'failed', test: name, error: firstLine(output) }));
  return { ...NOTHING, passed: checked.length - bad.length, failed: bad.length, troubles };
}
