import type { SizeChanges } from '../sizing/size-changes.js';
import type { Boxes } from '../sizing/boxes.js';
import { forAdmins, forRole } from './access.js';
import { CallError } from './call-error.js';
import type { Calls } from './calls.js';

/**
 * Makes the methods known that change the size of the screen: `resize(width, height)`, in CSS pixels, for viewers with the role `resize`
 * and for admins; and `pinSize(pinned)`, by which admins keep it as it is for everybody else.
 */
export function addSizeCalls(calls: Calls, changes: SizeChanges, boxes: Boxes): void {
  calls.add('resize', forRole('resize'), async ([width, height], { viewer, admin }) => {
    if (boxes.pinned && !admin)
      throw new CallError('err_forbidden', 'An admin has pinned the size of the screen.');
    const size = { width, height };
    if (!changes.allows(size)) throw new CallError('err_invalid_parameter', changes.bounds);
    await changes.want(size, viewer);
  });
  calls.add('pinSize', forAdmins, ([pinned]) => {
    boxes.pinned = pinned ?? true;
  });
}
