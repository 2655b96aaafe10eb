import { equal, ok } from './assert.js';
import { bench, frame, mouse, type Bench } from './harness.js';

const TIP = { pointerType: 'pen', pointerId: 9, pressure: 0.5, tiltX: 30, tiltY: -10, buttons: 1 };
const PEN = { pressure: 0.5, tiltX: 30, tiltY: -10 };

/** Dispatches a pointer event of a stylus. Returns true if the browser's default action was prevented. */
function pen(target: EventTarget, type: string, clientX: number, init: PointerEventInit = {}): boolean {
  const where = { bubbles: true, composed: true, cancelable: true, clientX, clientY: 10 };
  return !target.dispatchEvent(new PointerEvent(type, { ...where, ...TIP, ...init }));
}

function touch(surface: HTMLElement, type: string, clientX: number): boolean {
  const finger = new Touch({ identifier: 5, target: surface, clientX, clientY: 10 });
  const touches = type === 'touchend' ? [] : [finger];
  const init = { bubbles: true, cancelable: true, touches, changedTouches: [finger] };
  return !surface.dispatchEvent(new TouchEvent(type, init));
}

describe('a stylus', () => {
  let hand: Bench;
  beforeEach(() => (hand = bench()));
  afterEach(() => hand.close());

  it('sends pressure and tilt while its tip is down, also outside of the picture', async () => {
    ok(pen(hand.surface, 'pointerdown', 10), 'the browser makes no mouse events of it');
    pen(hand.surface, 'pointermove', 20, { pressure: 0.75 });
    await frame();
    pen(window, 'pointermove', 500, { pressure: 1 });
    pen(window, 'pointerup', 500, { pressure: 0, buttons: 0 });
    equal(
      hand.sent.map((event) => ({ ...event })),
      [
        { type: 'button', button: 0, pressed: true, modifiers: 0, x: 20, y: 20, pen: PEN },
        { type: 'move', modifiers: 0, pen: { ...PEN, pressure: 0.75 }, x: 40, y: 20 },
        { type: 'move', modifiers: 0, pen: { ...PEN, pressure: 1 }, x: 799, y: 20 },
        {
          type: 'button',
          button: 0,
          pressed: false,
          modifiers: 0,
          x: 799,
          y: 20,
          pen: { ...PEN, pressure: 0 },
        },
      ],
    );
    ok(document.activeElement === hand.field, 'the surface has the keyboard');
  });

  it('sends a change of its pressure without a movement', async () => {
    pen(hand.surface, 'pointerdown', 10);
    pen(hand.surface, 'pointermove', 10, { pressure: 0.875 });
    await frame();
    equal(
      hand.of('move').map((event) => event.pen?.pressure),
      [0.875],
    );
  });

  it('is a mouse while it hovers, and with its side button or its eraser', async () => {
    pen(hand.surface, 'pointermove', 10, { buttons: 0 });
    mouse(hand.surface, 'mousemove', { clientX: 10, clientY: 10 });
    await frame();
    ok(!pen(hand.surface, 'pointerdown', 10, { button: 2, buttons: 2 }), 'mouse events follow');
    mouse(hand.surface, 'mousedown', { button: 2, buttons: 2, clientX: 10, clientY: 10 });
    mouse(window, 'mouseup', { button: 2, clientX: 10, clientY: 10 });
    ok(!pen(hand.surface, 'pointerdown', 10, { button: 5, buttons: 32 }), 'mouse events follow');
    mouse(hand.surface, 'mousedown', { button: 5, buttons: 32, clientX: 10, clientY: 10 });
    equal(
      hand.sent.map((event) => [event.type, 'button' in event && event.button, 'pen' in event]),
      [
        ['move', false, false],
        ['button', 2, false],
        ['button', 2, false],
      ],
    );
  });

  it('releases everything when the local browser cancels it, and when the window loses the focus', async () => {
    pen(hand.surface, 'pointerdown', 10);
    pen(window, 'pointercancel', 0, { buttons: 0 });
    pen(hand.surface, 'pointerdown', 10);
    window.dispatchEvent(new Event('blur'));
    pen(hand.surface, 'pointermove', 20);
    await frame();
    pen(window, 'pointerup', 20);
    equal(
      hand.sent.map(({ type }) => type),
      ['button', 'release', 'button', 'release'],
    );
  });

  it('is not sent as a finger too on a phone, where it opens the keyboard like one', async () => {
    hand.field.blur();
    pen(hand.surface, 'pointerdown', 10);
    ok(touch(hand.surface, 'touchstart', 10), 'the browser makes no mouse events of it');
    pen(hand.surface, 'pointermove', 11);
    touch(hand.surface, 'touchmove', 11);
    await frame();
    pen(window, 'pointerup', 11, { buttons: 0 });
    ok(touch(hand.surface, 'touchend', 11), 'the browser makes no click of it');
    equal(hand.of('touch'), []);
    equal(hand.field.inputMode, 'none');
    pen(hand.surface, 'pointerdown', 10, { pointerType: 'touch', pointerId: 10 });
    touch(hand.surface, 'touchstart', 10);
    touch(hand.surface, 'touchend', 10);
    equal(hand.of('touch').length, 2);
    equal(hand.of('button').length, 2);
  });
});
