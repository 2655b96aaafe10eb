import type { WalkOutcome, WalkPlan } from './walk.js';

/**
 * Returns a report of a walk in lines. For a failed walk it contains the command that repeats it and the last
 * acts.
 */
export function tellOf({ seed, mode, acts }: WalkPlan, outcome: WalkOutcome): string {
  const crashes = outcome.crashes > 0 ? `, ${outcome.crashes} crashes of Chromium` : '';
  const name = `walk ${seed} in ${mode === 'kiosk' ? 'a kiosk' : 'tabs'}, ${outcome.acts} acts${crashes}`;
  if (outcome.broken.length === 0) return `ok: ${name}`;
  return [
    `broken: ${name}`,
    ...outcome.broken.map(({ invariant, problem }) => `  not so: ${invariant}: ${problem}`),
    `  again: npm run test:walk -- --seed ${seed} --mode ${mode} --acts ${acts}`,
    '  the last acts:',
    ...outcome.lastActs.map((act) => `    ${act}`),
  ].join('\n');
}
