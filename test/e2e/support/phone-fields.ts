import assert from 'node:assert/strict';
import { localField, type LocalField } from './local-field.js';
import type { Phone } from './phones.js';
import { until } from './until.js';

/** In pixels of the remote screen. */
export type Rectangle = [left: number, top: number, width: number, height: number];

/** Largest distance of the local field from the remote caret, in pixels. */
export const EXACT = 4;

/**
 * Resolves to the places of the fields of the hosted page `fields`, when its frame of another origin accepts
 * input.
 */
export async function placesOf({ remote }: Pick<Phone, 'remote'>): Promise<Record<string, Rectangle>> {
  await remote.until('the frame of another origin is shown', (state) => state['far']);
  return JSON.parse(String(await remote.run('JSON.stringify(places())'))) as Record<string, Rectangle>;
}

/** Resolves when the local field meets the condition. */
export async function localIs(
  { viewer }: Pick<Phone, 'viewer'>,
  what: string,
  holds: (field: LocalField) => boolean,
): Promise<LocalField> {
  let seen: LocalField | undefined;
  await until(what, async () => holds((seen = await localField(viewer)))).catch(() => {
    throw new Error(`It did not happen that ${what}; the local field is ${JSON.stringify(seen)}.`);
  });
  assert.ok(seen);
  return seen;
}

/** The middle of a rectangle. */
export const middleOf = ([left, top, width, height]: Rectangle): [number, number] => [
  Math.round(left + width / 2),
  Math.round(top + height / 2),
];

/** True if two places are almost the same. */
export const near = (one: number, other: number) => Math.abs(one - other) <= EXACT;
