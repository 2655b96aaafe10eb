import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { XConnection } from '../../../../server/src/host/display/x-client.js';
import { DisplayInput } from '../../../../server/src/host/input/display-input.js';
import { Pointer } from '../../../../server/src/host/input/pointer.js';

const MIDDLE = 2;
const button = (pressed: boolean, number = 0) =>
  ({ type: 'button', seq: 1, modifiers: 0, button: number, pressed, x: 0, y: 0 }) as const;

let display: string[];
let [first, second]: Pointer[] = [];
let sink: DisplayInput;
beforeEach(async () => {
  display = [];
  const xtest = {
    ...{ ButtonPress: '+', ButtonRelease: '-', MotionNotify: 'move' },
    FakeInput: (type: string, detail: number) => type !== 'move' && display.push(`${type}${detail}`),
  };
  const x = {
    require: (_name: string, reply: (error: null, extension: object) => void) => reply(null, xtest),
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
