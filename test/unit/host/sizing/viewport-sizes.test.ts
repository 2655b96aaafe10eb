import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  ViewportSizes,
  type SizedViewer,
} from '../../../../server/src/host/features/sizing/viewport-sizes.js';
import { firstRights } from '../../../../server/src/host/room/users/rights.js';

type Person = { -readonly [Key in keyof SizedViewer]: SizedViewer[Key] };

let filled: string[];
let controlling: Set<string>;
let boxes: ViewportSizes;
let ann: Person;
let bob: Person;
beforeEach(() => {
  filled = [];
  controlling = new Set(['ann', 'bob']);
  boxes = new ViewportSizes(
    {
      fill: ({ width, height }) => {
        filled.push(`${width}x${height}`);
        return Promise.resolve();
      },
    },
    (userId) => controlling.has(userId),
  );
  [ann, bob] = [person('ann'), person('bob')];
});

function person(userId: string): Person {
  const rights = firstRights({ controlDisabled: false, roles: ['control', 'resize'], tiedRoles: [] }, {});
  return { userId, rights, user: { lastInput: 0 }, admin: false, shutOut: false, visible: true, gone: false };
}

const LARGE = { width: 1200, height: 700 };
const SMALL = { width: 390, height: 844 };

describe('the screen size', () => {
  it('is the box of a viewer with control, and follows it', () => {
    boxes.set(ann, LARGE);
    boxes.set(ann, SMALL);
    assert.deepEqual(filled, ['1200x700', '390x844']);
  });

  it('stays with the first of several viewers with the same rights', () => {
    boxes.set(ann, LARGE);
    boxes.set(bob, SMALL);
    bob.user = { lastInput: 100 };
    for (let input = 0; input < 100; input++) boxes.settle();
    boxes.set(bob, { width: 844, height: 390 });
    assert.deepEqual(filled, ['1200x700']);
  });

  it('moves with control from one user to the other', () => {
    boxes.set(ann, LARGE);
    boxes.set(bob, SMALL);
    controlling = new Set(['bob']);
    boxes.settle();
    controlling = new Set(['ann', 'bob']);
    boxes.settle();
    assert.deepEqual(filled, ['1200x700', '390x844']);
  });

  it('passes to another viewer when its viewer leaves, hides the page or gives it up', () => {
    const steps: (() => void)[] = [
      () => boxes.set(ann, null),
      () => {
        ann.visible = false;
        boxes.settle();
      },
      () => {
        ann.gone = true;
        boxes.settle();
      },
    ];
    for (const step of steps) {
      [ann, bob] = [person('ann'), person('bob')];
      filled = [];
      boxes.set(ann, LARGE);
      boxes.set(bob, SMALL);
      step();
      assert.deepEqual(filled, ['1200x700', '390x844']);
      boxes.set(ann, null);
      boxes.set(bob, null);
    }
  });

  it('passes to the last active one of several viewers', () => {
    const cat = person('cat');
    controlling.add('cat');
    boxes.set(ann, LARGE);
    boxes.set(bob, SMALL);
    boxes.set(cat, { width: 500, height: 500 });
    cat.user = { lastInput: 5 };
    boxes.set(ann, null);
    assert.deepEqual(filled, ['1200x700', '500x500']);
  });

  it('never follows viewers without the role, except admins', () => {
    ann.rights = firstRights({ controlDisabled: false, roles: ['control'], tiedRoles: [] }, {});
    boxes.set(ann, LARGE);
    assert.deepEqual(filled, []);
    ann.admin = true;
    boxes.settle();
    assert.deepEqual(filled, ['1200x700']);
  });

  it('never follows viewers without control', () => {
    controlling.clear();
    boxes.set(ann, LARGE);
    assert.deepEqual(filled, []);
  });

  it('is fixed while it is pinned, and then follows the present viewer', () => {
    boxes.set(ann, LARGE);
    boxes.pinned = true;
    boxes.set(ann, SMALL);
    assert.deepEqual(filled, ['1200x700']);
    boxes.pinned = false;
    assert.deepEqual(filled, ['1200x700', '390x844']);
  });

  it('is set again on a new screen', () => {
    boxes.set(ann, LARGE);
    boxes.refill();
    assert.deepEqual(filled, ['1200x700', '1200x700']);
  });
});
