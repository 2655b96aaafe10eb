import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Touch } from '../../../../src/protocol/index.js';
import { TouchInput, type TouchSink } from '../../../../server/src/host/input/touch.js';

/** A touch screen for three fingers that records their actions. */
class Glass implements TouchSink {
  readonly log: string[] = [];
  readonly #down = new Map<number, string>();

  press({ x, y }: { x: number; y: number }): number | undefined {
    const finger = [0, 1, 2].find((each) => !this.#down.has(each));
    if (finger === undefined) return undefined;
    this.#down.set(finger, `${x},${y}`);
    this.log.push(`${finger} down ${x},${y}`);
    return finger;
  }

  move(finger: number, { x, y }: { x: number; y: number }): void {
    // Like the real one: a finger that does not move sends nothing.
    if (this.#down.get(finger) === `${x},${y}`) return;
    this.#down.set(finger, `${x},${y}`);
    this.log.push(`${finger} to ${x},${y}`);
  }

  lift(finger: number): void {
    this.#down.delete(finger);
    this.log.push(`${finger} up`);
  }
}

function touch(phase: Touch['phase'], ...points: [id: number, x: number, y: number][]): Touch {
  return { type: 'touch', phase, points: points.map(([id, x, y]) => ({ id, x, y })), seq: 1, modifiers: 0 };
}

describe('touch points of a user', () => {
  let glass: Glass;
  let fingers: TouchInput;
  beforeEach(() => {
    glass = new Glass();
    fingers = new TouchInput(glass);
  });

  it('start, move and end one by one', () => {
    fingers.handle(touch('start', [0, 10, 20]));
    fingers.handle(touch('start', [0, 10, 20], [1, 30, 40]));
    fingers.handle(touch('move', [0, 11, 20], [1, 31, 40]));
    fingers.handle(touch('end', [1, 31, 40]));
    fingers.handle(touch('end'));
    assert.deepEqual(glass.log, ['0 down 10,20', '1 down 30,40', '0 to 11,20', '1 to 31,40', '0 up', '1 up']);
  });

  it('are separate from those of another user with the same numbers', () => {
    const others = new TouchInput(glass);
    fingers.handle(touch('start', [0, 1, 1]));
    others.handle(touch('start', [0, 2, 2]));
    fingers.handle(touch('end'));
    others.handle(touch('move', [0, 3, 3]));
    assert.deepEqual(glass.log, ['0 down 1,1', '1 down 2,2', '0 up', '1 to 3,3']);
  });

  it('above the maximum are ignored', () => {
    fingers.handle(touch('start', [0, 0, 0], [1, 1, 0], [2, 2, 0], [3, 3, 0]));
    fingers.handle(touch('move', [3, 9, 9]));
    assert.deepEqual(glass.log, ['0 down 0,0', '1 down 1,0', '2 down 2,0', '0 up', '1 up', '2 up']);
  });

  it('without a start are ignored when they move', () => {
    fingers.handle(touch('move', [0, 5, 5]));
    assert.deepEqual(glass.log, []);
  });

  it('end once when all input is released', () => {
    fingers.handle(touch('start', [0, 0, 0], [7, 1, 0]));
    fingers.releaseAll();
    fingers.releaseAll();
    fingers.handle(touch('end'));
    assert.deepEqual(glass.log, ['0 down 0,0', '1 down 1,0', '0 up', '1 up']);
  });
});
