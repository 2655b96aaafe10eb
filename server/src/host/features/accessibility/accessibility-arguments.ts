import { ACCESSIBILITY_ACTS, MAX_ACCESSIBLE_VALUE, type MethodArgs } from 'cloud-browser/protocol';
import { wrong } from '../../room/calls/arguments.js';

/** Checks the untrusted arguments of `accessibility.act`. Throws `CallError`. */
export function actOf([node, act, value]: readonly unknown[]): MethodArgs<'accessibility.act'> {
  if (typeof node !== 'number' || !Number.isSafeInteger(node))
    throw wrong('The first argument', 'the number of a node');
  const known = ACCESSIBILITY_ACTS.find((name) => name === act);
  if (!known) throw wrong('The second argument', `one of ${ACCESSIBILITY_ACTS.join(', ')}`);
  if (known !== 'set') return [node, known];
  if (typeof value !== 'string' || value.length > MAX_ACCESSIBLE_VALUE)
    throw wrong('The third argument', `a text of at most ${MAX_ACCESSIBLE_VALUE} characters`);
  return [node, known, value];
}
