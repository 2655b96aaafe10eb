import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { LIMITS, USUAL_SLACK, type Figure, type Limit } from './limit-table.js';

export { LIMITS, type Figure } from './limit-table.js';

/** True if figures past their limits fail the run. */
export const STRICT = process.env['STRICT_TIMES'] === '1';

/** Factor by which a figure may exceed its limit in this run. */
export const SLACK = STRICT ? 1 : USUAL_SLACK;

/** Returns the deadline for an action that takes at most this many milliseconds on an idle machine. */
export const patient = (milliseconds: number): number => milliseconds * SLACK;

/** The limit of a figure in this run. */
export function bound(figure: Figure): number {
  const limit: Limit = LIMITS[figure];
  return 'most' in limit ? limit.most * SLACK : limit.least / SLACK;
}

/** True if a value is good enough in this run. */
export function isKept(figure: Figure, seen: number): boolean {
  return 'most' in LIMITS[figure] ? seen <= bound(figure) : seen >= bound(figure);
}

/**
 * Records a value for the table of `npm run bench -- limits` in the file that FIGURES_FILE names. Only that
 * run fails above a limit, because a busy or slow machine gives no information about the code. A value that
 * is not a number always fails. `details` explain a failure.
 */
export function hold(figure: Figure, seen: number, details = ''): void {
  const file = process.env['FIGURES_FILE'];
  if (file) appendFileSync(file, `${JSON.stringify({ figure, seen })}\n`);
  const words = `${figure}: ${seen.toFixed(1)} ${LIMITS[figure].unit}; the limit is ${bound(figure)}`;
  const good = STRICT ? isKept(figure, seen) : Number.isFinite(seen);
  assert.ok(good, details ? `${words}; ${details}` : words);
}
