import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { LIMITS, USUAL_SLACK, type Figure, type Limit } from './limit-table.js';

export { LIMITS, type Figure } from './limit-table.js';

/** Whether figures are held to their limits as they are. */
export const STRICT = process.env['STRICT_TIMES'] === '1';

/** How many times worse than its limit a figure may be in this run. */
export const SLACK = STRICT ? 1 : USUAL_SLACK;

/** A deadline for what a calm machine does within so many milliseconds. */
export const patient = (milliseconds: number): number => milliseconds * SLACK;

/** What a figure may be in this run. */
export function bound(figure: Figure): number {
  const limit: Limit = LIMITS[figure];
  return 'most' in limit ? limit.most * SLACK : limit.least / SLACK;
}

/** Whether a value is good enough in this run. */
export function isKept(figure: Figure, seen: number): boolean {
  return 'most' in LIMITS[figure] ? seen <= bound(figure) : seen >= bound(figure);
}

/**
 * Holds a measured value to its limit, and leaves it for the table of `npm run bench -- limits` in the file that FIGURES_FILE names.
 * `details` are for who reads the failure.
 */
export function hold(figure: Figure, seen: number, details = ''): void {
  const file = process.env['FIGURES_FILE'];
  if (file) appendFileSync(file, `${JSON.stringify({ figure, seen })}\n`);
  const words = `${figure}: ${seen.toFixed(1)} ${LIMITS[figure].unit}; the limit of this run is ${bound(figure)}`;
  assert.ok(isKept(figure, seen), details ? `${words}; ${details}` : words);
}
