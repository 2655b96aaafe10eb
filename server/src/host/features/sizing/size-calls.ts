import { booleanOf, numberOrNaN } from '../../room/calls/arguments.js';
import type { CallCost } from '../../room/calls/call-lane.js';
import type { SizeChanges } from './size-changes.js';
import type { ViewportSizes } from './viewport-sizes.js';
import { forAdmins, forRole } from '../../room/calls/access.js';
import { CallError } from '../../room/calls/call-error.js';
import type { Calls } from '../../room/calls/calls.js';

/**
 * Cost of a resize. A user who drags the edge of a window causes many calls. All waiting calls become one
 * change of the size.
 */
const RESIZE: CallCost = { work: 1, merges: true };

/** Returns the arguments of `resize`. An invalid number becomes NaN, which is not a valid size. */
const sizeOf = ([width, height]: readonly unknown[]): [number, number] => [
  numberOrNaN(width),
  numberOrNaN(height),
];

const pinnedOf = ([pinned]: readonly unknown[]): [boolean] => [booleanOf(pinned ?? true, 'pinned')];

/**
 * Registers the methods for the size of the screen. `resize(width, height)` changes the size, in CSS pixels.
 * Viewers with the role `resize` and admins may call it. With `pinSize(pinned)` an admin fixes the size.
 * After that, only admins can resize.
 */
export function addSizeCalls(calls: Calls, changes: SizeChanges, boxes: ViewportSizes): void {
  calls.add(
    'resize',
    { access: forRole('resize'), check: sizeOf, cost: RESIZE },
    async ([width, height], { viewer, admin }) => {
      if (boxes.pinned && !admin)
        throw new CallError('err_forbidden', 'An admin has pinned the size of the screen.');
      const size = { width, height };
      if (!changes.allows(size)) throw new CallError('err_invalid_parameter', changes.bounds);
      await changes.want(size, viewer);
    },
  );
  calls.add('pinSize', { access: forAdmins, check: pinnedOf }, ([pinned]) => {
    boxes.pinned = pinned ?? true;
  });
}
