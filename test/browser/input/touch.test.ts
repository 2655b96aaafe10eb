import { equal, ok } from './assert.js';
import { bench, frame, type Bench } from './harness.js';

describe('touch', () => {
  let hand: Bench;
  /** The fingers on the screen. */
  const down = new Map<number, Touch>();
  beforeEach(() => {
    hand = bench();
    down.clear();
  });
  afterEach(() => hand.close());

  const finger = (identifier: number, clientX: number, clientY: number) =>
    new Touch({ identifier, target: hand.surface, clientX, clientY });
  const touch = (type: string, changedTouches: Touch[]) => {
    for (const each of changedTouches) {
      if (type === 'touchend' || type === 'touchcancel') down.delete(each.identifier);
      else down.set(each.identifier, each);
    }
    const init = { bubbles: true, cancelable: true, touches: [...down.values()], changedTouches };
    return !hand.surface.dispatchEvent(new TouchEvent(type, init));
  };

  it('sends all touching fingers, with small ids', async () => {
    ok(touch('touchstart', [finger(9001, 10, 10)]), 'no mouse follows');
    touch('touchstart', [finger(9002, 50, 50)]);
    touch('touchmove', [finger(9002, 60, 50)]);
    touch('touchmove', [finger(9002, 70, 50)]);
    await frame();
    touch('touchend', [finger(9001, 10, 10)]);
    touch('touchcancel', [finger(9002, 70, 50)]);
    const first = { id: 0, x: 20, y: 20 };
    equal(
      hand.of('touch').map(({ phase, points }) => [phase, points]),
      [
        ['start', [first]],
        ['start', [first, { id: 1, x: 100, y: 100 }]],
        ['move', [first, { id: 1, x: 140, y: 100 }]],
        ['end', [{ id: 1, x: 140, y: 100 }]],
        ['cancel', []],
      ],
    );
  });

  for (const identifier of [1, 2])
    it(`lifts a finger whose touchend was lost before the next touch with the identifier ${identifier}`, () => {
      touch('touchstart', [finger(1, 10, 10)]);
      down.clear();
      touch('touchstart', [finger(identifier, 50, 50)]);
      touch('touchend', [finger(identifier, 50, 50)]);
      equal(
        hand.of('touch').map(({ phase, points }) => [phase, points]),
        [
          ['start', [{ id: 0, x: 20, y: 20 }]],
          ['cancel', []],
          ['start', [{ id: 0, x: 100, y: 100 }]],
          ['end', []],
        ],
      );
      ok(document.activeElement === hand.field, 'the second touch is a tap');
    });

  it('sends a pending move before the finger is lifted', () => {
    touch('touchstart', [finger(1, 10, 10)]);
    touch('touchmove', [finger(1, 20, 10)]);
    touch('touchend', [finger(1, 20, 10)]);
    equal(
      hand.of('touch').map(({ phase }) => phase),
      ['start', 'move', 'end'],
    );
  });

  it('takes the focus by a tap without opening the on-screen keyboard', () => {
    touch('touchstart', [finger(1, 10, 10)]);
    touch('touchend', [finger(1, 10, 10)]);
    ok(document.activeElement === hand.field, 'the field has the focus');
    equal(hand.field.inputMode, 'none');
    hand.input.softKeyboard.show();
    equal(hand.field.inputMode, 'text');
    ok(document.activeElement === hand.field, 'the field has the focus again');
  });

  it('prevents scrolling of the embedding page only while attached', () => {
    equal(hand.surface.style.touchAction, 'none');
    hand.close();
    equal(hand.surface.style.touchAction, '');
  });
});
