import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FloodGuard } from '../../../../server/src/host/room/viewers/flood-guard.js';
import { SizeChanges } from '../../../../server/src/host/features/sizing/size-changes.js';
import type { ScreenShape } from '../../../../server/src/platform/screen-size.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** Time for which a size change stops the picture, in milliseconds: more than on an idle machine. */
const COST_MS = 250;

interface Person {
  gone: boolean;
  user: object;
}

let clock: ManualClock;
let sizes: SizeChanges;
/** Changes so far: their start in milliseconds, and the width. */
let made: { at: number; width: number }[];
let failing: boolean;
beforeEach(() => {
  clock = new ManualClock();
  made = [];
  failing = false;
  const screen = { width: 1280, height: 720, pixelRatio: 1, followsRatio: false, maxArea: 1920 * 1080 };
  const apply = (shape: ScreenShape) => {
    if (failing) return Promise.reject(new Error('no'));
    made.push({ at: clock.now(), width: shape.width });
    Object.assign(screen, shape);
    return Promise.resolve();
  };
  sizes = new SizeChanges(screen, apply, clock);
});

const person = (): Person => ({ gone: false, user: {} });

/** Advances time in steps, so that changes run when they are due. */
async function pass(milliseconds: number, each: (at: number) => void = () => undefined): Promise<void> {
  const step = 10;
  for (let passed = 0; passed < milliseconds; passed += step) {
    each(clock.now());
    await turn();
    clock.advance(step);
  }
  await turn();
}

/** Requests another width this many times a second. */
function often(perSecond: number, wisher: Person, from = 300): (at: number) => void {
  let count = 0;
  return (at) => {
    for (; count * (1_000 / perSecond) <= at; count++)
      void sizes.want({ width: from + (count % 100), height: 500 }, wisher);
  };
}

/** Share of a period that changes took, in percent. */
const taken = (milliseconds: number) => (100 * made.length * COST_MS) / milliseconds;

describe('consecutive size changes', () => {
  for (const perSecond of [3, 5, 60])
    it(`become rarer: ${perSecond} a second leave other users four fifths of their time`, async () => {
      await pass(10_000, often(perSecond, person()));
      assert.ok(taken(10_000) <= 20, JSON.stringify(made));
      const before = made.length;
      await pass(30_000, often(perSecond, person()));
      assert.ok(made.length - before <= 16, JSON.stringify(made));
    });

  it('become rarer for ten users together as for one', async () => {
    const people = Array.from({ length: 10 }, (_, index) => often(60, person(), 300 + index * 50));
    await pass(30_000, (at) => {
      for (const act of people) act(at);
    });
    assert.ok(taken(30_000) <= 20, `${made.length} changes`);
  });

  it('end with the last requested size, soon after it', async () => {
    const drags = person();
    await pass(20_000, often(60, drags));
    const done = sizes.want({ width: 999, height: 500 }, drags);
    const end = clock.now();
    await pass(2_500);
    await done;
    assert.equal(made.at(-1)?.width, 999);
    assert.ok((made.at(-1)?.at ?? Infinity) - end <= 2_500);
  });

  it('are fast again after a pause', async () => {
    const drags = person();
    await pass(20_000, often(60, drags));
    await pass(15_000);
    const before = made.length;
    await sizes.want({ width: 999, height: 500 }, drags);
    assert.equal(made.length, before + 1);
  });

  it('do not delay a new user on a still screen', async () => {
    await sizes.want({ width: 800, height: 600 }, person());
    assert.deepEqual(made, [{ at: 0, width: 800 }]);
  });

  it('serve another user with few changes first', async () => {
    const [drags, other] = [person(), person()];
    await pass(9_000, often(60, drags));
    const before = made.length;
    const asked = clock.now();
    const done = sizes.want({ width: 1111, height: 500 }, other);
    await pass(2_100);
    await done;
    assert.equal(made.slice(before).at(-1)?.width, 1111);
    assert.ok((made.at(-1)?.at ?? Infinity) - asked <= 2_000);
  });

  it('skip sizes of users who have left', async () => {
    const drags = person();
    await pass(1_100, often(60, drags));
    const before = made.length;
    const left = sizes.want({ width: 999, height: 500 }, drags);
    drags.gone = true;
    await pass(5_000);
    await left;
    assert.equal(made.length, before);
  });

  it('cost nothing if the screen already has the size', async () => {
    const drags = person();
    for (let count = 0; count < 50; count++) await sizes.want({ width: 1280, height: 720 }, drags);
    await sizes.want({ width: 800, height: 600 }, drags);
    assert.deepEqual(made, [{ at: 0, width: 800 }]);
  });

  it('continue after a failed change, and report the failure to the users who requested it', async () => {
    failing = true;
    const two = [800, 900].map((width) => sizes.want({ width, height: 600 }, undefined));
    for (const { status } of await Promise.allSettled(two)) assert.equal(status, 'rejected');
    failing = false;
    const done = sizes.want({ width: 700, height: 600 }, undefined);
    await pass(1_000);
    await done;
    assert.equal(made.at(-1)?.width, 700);
  });

  it('stop when the session ends, and reject waiting requests', async () => {
    const drags = person();
    await sizes.want({ width: 800, height: 600 }, drags);
    const waits = sizes.want({ width: 900, height: 600 }, drags);
    await turn();
    sizes.close();
    await waits;
    await sizes.want({ width: 700, height: 600 }, drags);
    await pass(5_000);
    assert.equal(made.length, 1);
    assert.equal(clock.pending, 0);
  });
});

describe('a user who changes the size', () => {
  /** Seconds after which a client with this rate counts as flooding. Undefined: not within two minutes. */
  function floodsAfter(perSecond: number, pauses = false): number | undefined {
    const guard = new FloodGuard(clock);
    for (let count = 0; count < 120 * perSecond; count++) {
      if (!guard.takesSize()) return clock.now() / 1_000;
      clock.advance(1_000 / perSecond);
      // A drag of two seconds, followed by a pause.
      if (pauses && count % (2 * perSecond) === 0) clock.advance(15_000);
    }
    return undefined;
  }

  it('counts as flooding within 10 seconds at 3 changes a second, and within 5 at 5 and more', () => {
    for (const [perSecond, seconds] of [
      [3, 10],
      [5, 5],
      [50, 5],
      [500, 5],
    ] as const) {
      const after = floodsAfter(perSecond);
      assert.ok(after !== undefined && after <= seconds, `${perSecond} a second: ${after} s`);
      assert.ok(after > 3, 'not before a moment has passed');
      clock = new ManualClock();
    }
  });

  it('does not count as flooding at one change a second, or with drags and pauses', () => {
    assert.equal(floodsAfter(1), undefined);
    assert.equal(floodsAfter(60, true), undefined);
  });
});
