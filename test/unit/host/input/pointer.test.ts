import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { merged, type UserEvent } from '../../../../server/src/host/input/merge-events.js';
import { Pointer, type PointerSink } from '../../../../server/src/host/input/pointer.js';

class Display implements PointerSink {
  readonly did: string[] = [];
  locked = false;
  move = (x: number, y: number) => void this.did.push(`move ${x} ${y}`);
  moveBy = (x: number, y: number) => void this.did.push(`by ${x} ${y}`);
  leave = (x: number, y: number) => void this.did.push(`leave ${x} ${y}`);
  button = (button: number, pressed: boolean) =>
    void this.did.push(`${pressed ? 'press' : 'lift'} ${button}`);
}

const button = (x: number, y: number, pressed = true) =>
  ({ type: 'button', seq: 1, modifiers: 0, button: 0, pressed, x, y }) as const;

describe("the display's pointer", () => {
  let display: Display;
  let pointer: Pointer;

  beforeEach(() => {
    display = new Display();
    pointer = new Pointer(display);
  });

  it("moves to the user's position, and presses there", () => {
    pointer.move({ x: 3, y: 4 });
    pointer.handle(button(5, 6));
    assert.deepEqual(display.did, ['move 3 4', 'move 5 6', 'press 1']);
  });

  it("moves by the user's distance while a page has locked it, with either kind of message", () => {
    pointer.move({ x: 100, y: 100 });
    display.locked = true;
    pointer.move({ x: 110, y: 95 });
    pointer.handle(button(110, 95));
    pointer.moveBy({ x: -7, y: 2 });
    assert.deepEqual(display.did, ['move 100 100', 'by 10 -5', 'by 0 0', 'press 1', 'by -7 2']);
  });

  it("leaves the browser when the user's pointer has left the picture", () => {
    pointer.moveBy({ x: 0, y: 0 });
    pointer.move({ x: 3, y: 4 });
    pointer.moveBy({ x: 0, y: 0 });
    pointer.moveBy({ x: 0, y: 0 });
    assert.deepEqual(display.did, ['move 3 4', 'leave 3 4']);
  });

  it('stays in the browser while the user holds a button', () => {
    pointer.handle(button(5, 6));
    pointer.moveBy({ x: 0, y: 0 });
    assert.deepEqual(display.did, ['move 5 6', 'press 1']);
  });

  it('does not jump for a user who has not pointed before', () => {
    display.locked = true;
    pointer.move({ x: 500, y: 500 });
    assert.deepEqual(display.did, []);
  });
});

describe('waiting distances', () => {
  const by = (x: number, y: number): UserEvent => ({ type: 'relative', seq: 1, modifiers: 0, x, y });

  it('are added up within a limit', () => {
    assert.deepEqual(merged(by(1, 2), by(3, -5)), by(4, -3));
    assert.equal(merged(by(30_000, 0), by(30_000, 0)), undefined);
    assert.equal(merged(by(1, 0), button(1, 1)), undefined);
  });
});
