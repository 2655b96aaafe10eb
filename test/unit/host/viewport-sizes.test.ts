import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ViewportSizes, type SizedViewer } from '../../../server/src/host/features/sizing/viewport-sizes.js';
import { firstRights } from '../../../server/src/host/room/users/rights.js';

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

describe('the screen', () => {
  it('fills the box of a viewer who controls, and follows it', () => {
    boxes.set(ann, LARGE);
    boxes.set(ann, SMALL);
    assert.deepEqual(filled, ['1200x700', '390x844']);
  });

  it('stays with the first of several who may do the same, whatever they do', () => {
    boxes.set(ann, LARGE);
    boxes.set(bob, SMALL);
    bob.user = { lastInput: 100 };
    for (let input = 0; input < 100; input++) boxes.settle();
    boxes.set(bob, { width: 844, height: 390 });
    assert.deepEqual(filled, ['1200x700']);
  });

  it('goes with control from one to the other', () => {
    boxes.set(ann, LARGE);
    boxes.set(bob, SMALL);
    controlling = new Set(['bob']);
    boxes.settle();
    controlling = new Set(['ann', 'bob']);
    boxes.settle();
    assert.deepEqual(filled, ['1200x700', '390x844']);
  });

  it('goes to another when its viewer leaves, looks away or gives it up', () => {
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

  it('goes to who acted last, when several could have it', () => {
    const cat = person('cat');
    controlling.add('cat');
    boxes.set(ann, LARGE);
    boxes.set(bob, SMALL);
    boxes.set(cat, { width: 500, height: 500 });
    cat.user = { lastInput: 5 };
    boxes.set(ann, null);
    assert.deepEqual(filled, ['1200x700', '500x500']);
  });

  it('follows nobody without the role, unless they are an admin', () => {
    ann.rights = firstRights({ controlDisabled: false, roles: ['control'], tiedRoles: [] }, {});
    boxes.set(ann, LARGE);
    assert.deepEqual(filled, []);
    ann.admin = true;
    boxes.settle();
    assert.deepEqual(filled, ['1200x700']);
  });

  it('follows nobody who does not control', () => {
    controlling.clear();
    boxes.set(ann, LARGE);
    assert.deepEqual(filled, []);
  });

  it('follows nobody while it is pinned, and afterwards the one who is there', () => {
    boxes.set(ann, LARGE);
    boxes.pinned = true;
    boxes.set(ann, SMALL);
    assert.deepEqual(filled, ['1200x700']);
    boxes.pinned = false;
    assert.deepEqual(filled, ['1200x700', '390x844']);
  });

  it('is filled again when it is another one', () => {
    boxes.set(ann, LARGE);
    boxes.refill();
    assert.deepEqual(filled, ['1200x700', '1200x700']);
  });
});
