import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { XConnection } from '../../../../server/src/host/display/x-client.js';
import { DisplayInput } from '../../../../server/src/host/input/display-input.js';
import { Pointer } from '../../../../server/src/host/input/pointer.js';

const MIDDLE = 2;
const button = (pressed: boolean, number = 0) =>
  ({ type: 'button', seq: 1, modifiers: 0, button: number, pressed, x: 0, y: 0 }) as const;

let display: string[];
/** True if the moves of the pointer are recorded too. */
let moves = false;
let [first, second]: Pointer[] = [];
let sink: DisplayInput;
beforeEach(async () => {
  display = [];
  moves = false;
  const xtest = {
    ...{ ButtonPress: '+', ButtonRelease: '-', MotionNotify: 'move' },
    FakeInput: (type: string, detail: number, _time: number, _window: number, ...at: number[]) => {
      if (type !== 'move') display.push(`${type}${detail}`);
      else if (moves) display.push(`move ${at.join(' ')}`);
    },
  };
  const draws = ['CreatePixmap', 'CreateGC', 'PolyFillRectangle', 'CreateCursor', 'FreeGC', 'FreePixmap'];
  const nothing = () => undefined;
  const x = {
    require: (_name: string, reply: (error: null, extension: object) => void) => reply(null, xtest),
    AllocID: () => 7,
    ...Object.fromEntries([...draws, 'CreateWindow', 'RaiseWindow'].map((name) => [name, nothing])),
    MoveWindow: (_window: number, ...at: number[]) => void display.push(`cover ${at.join(' ')}`),
    MapWindow: () => void display.push('map'),
    UnmapWindow: () => void display.push('unmap'),
    GetInputFocus: (reply: (error: null, answer: object) => void) => reply(null, {}),
  };
  sink = await DisplayInput.open({ x, size: { width: 9, height: 9 }, root: 1 } as unknown as XConnection);
  [first, second] = [new Pointer(sink), new Pointer(sink)];
});

describe('a button that two users hold', () => {
  beforeEach(() => {
    first?.handle(button(true));
    second?.handle(button(true));
  });

  it('stays down until both have released it', () => {
    first?.handle(button(false));
    assert.deepEqual(display, ['+1']);
    second?.handle(button(false));
    assert.deepEqual(display, ['+1', '-1']);
  });

  it('stays down if one of them leaves', () => {
    second?.releaseAll();
    assert.deepEqual(display, ['+1']);
    first?.releaseAll();
    assert.deepEqual(display, ['+1', '-1']);
  });

  it('can be pressed again after both have released it', () => {
    for (const pointer of [first, second, first]) pointer?.handle(button(false));
    first?.handle(button(true));
    first?.handle(button(false));
    assert.deepEqual(display, ['+1', '-1', '+1', '-1']);
  });

  it('does not affect other buttons and the wheel', () => {
    second?.handle(button(true, 1));
    second?.handle(button(false, 1));
    for (const pressed of [true, false, true, false]) sink.button(4, pressed);
    assert.deepEqual(display, ['+1', `+${MIDDLE}`, `-${MIDDLE}`, '+4', '-4', '+4', '-4']);
  });
});

describe('a pointer that leaves the picture', () => {
  const left = { x: 0, y: 0 };
  beforeEach(() => {
    moves = true;
    first?.move({ x: 3, y: 4 });
    display.length = 0;
  });

  it('is covered until a user moves it, and enters the page only at its new position', () => {
    first?.moveBy(left);
    assert.deepEqual(display, ['cover 3 4', 'map']);
    display.length = 0;
    second?.move({ x: 5, y: 6 });
    second?.move({ x: 6, y: 6 });
    assert.deepEqual(display, ['move 5 6', 'unmap', 'move 6 6']);
  });

  it('is covered at the edge if the position is beyond it', () => {
    first?.move({ x: 30, y: 4 });
    display.length = 0;
    first?.moveBy(left);
    assert.deepEqual(display, ['cover 8 4', 'map']);
  });

  it('stays where another user has moved it', () => {
    second?.move({ x: 5, y: 6 });
    display.length = 0;
    first?.moveBy(left);
    assert.deepEqual(display, []);
  });

  it('stays while another user holds a button, or a page has locked it', () => {
    sink.button(1, true);
    first?.moveBy(left);
    sink.button(1, false);
    sink.locked = true;
    second?.moveBy(left);
    assert.deepEqual(display, ['+1', '-1']);
  });
});
