import { sendMouse } from '@web/test-runner-commands';
import { remoteDelta, type WheelMeasure } from '../../../src/input/pointer/wheel-delta.js';
import { Modifier } from '../../../src/protocol/index.js';
import { equal, ok } from './assert.js';
import { bench, frame, type Bench } from './harness.js';

const REMOTE = { width: 800, height: 600 };
const measure = (fields: Partial<WheelMeasure>): WheelMeasure => ({
  deltaMode: 0,
  deltaX: 0,
  deltaY: 0,
  shiftKey: false,
  ...fields,
});

describe('the wheel', () => {
  let hand: Bench;
  beforeEach(() => (hand = bench()));
  afterEach(() => hand.close());

  const turn = (init: WheelEventInit) =>
    !hand.surface.dispatchEvent(
      new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: 10, clientY: 10, ...init }),
    );

  it('sums both axes per frame, in remote pixels', async () => {
    turn({ deltaX: 5, deltaY: 10 });
    turn({ deltaX: 0, deltaY: -4 });
    await frame();
    equal(
      hand.of('wheel').map(({ deltaX, deltaY, x, y }) => ({ deltaX, deltaY, x, y })),
      [{ deltaX: 10, deltaY: 12, x: 20, y: 20 }],
    );
  });

  it('does not zoom or scroll the embedding page', () => {
    ok(turn({ deltaY: 10, ctrlKey: true }), 'a pinch is taken');
    ok(turn({ deltaY: 10 }), 'scrolling is taken');
  });

  describe("Safari's pinch", () => {
    /** Dispatches an event that only Safari has. Returns true if the default action was prevented. */
    const gesture = (type: string, scale: number, at = 10): boolean => {
      const event = new UIEvent(type, { bubbles: true, cancelable: true });
      return !hand.surface.dispatchEvent(Object.assign(event, { scale, clientX: at, clientY: at }));
    };

    it('sends the same wheel events with Control as a pinch in other browsers', async () => {
      ok(gesture('gesturestart', 1), 'the embedding page does not zoom');
      gesture('gesturechange', Math.exp(0.1));
      await frame();
      gesture('gesturechange', Math.exp(0.3));
      gesture('gestureend', Math.exp(0.25));
      await frame();
      gesture('gesturestart', 1);
      gesture('gesturechange', Math.exp(-0.2));
      await frame();
      equal(
        hand.of('wheel').map(({ deltaY, ...event }) => ({ ...event, deltaY: Math.round(deltaY) })),
        [-20, -30, 40].map((deltaY) => ({
          ...{ type: 'wheel', modifiers: Modifier.control, deltaX: 0, notched: false, x: 20, y: 20, deltaY },
        })),
      );
    });

    it('stays with the page next to the picture, and is not sent beside touches', async () => {
      ok(!gesture('gesturestart', 1, 500), 'it is not taken');
      gesture('gesturechange', 2, 500);
      const finger = new Touch({ identifier: 1, target: hand.surface, clientX: 10, clientY: 10 });
      const init = { bubbles: true, cancelable: true, changedTouches: [finger] };
      hand.surface.dispatchEvent(new TouchEvent('touchstart', { ...init, touches: [finger] }));
      gesture('gesturestart', 1);
      gesture('gesturechange', 2);
      hand.surface.dispatchEvent(new TouchEvent('touchend', { ...init, touches: [] }));
      await frame();
      equal(hand.of('wheel'), []);
    });
  });

  it('sends the events of a real wheel', async () => {
    await sendMouse({ type: 'move', position: [40, 40] });
    turn({ deltaY: 100 });
    await frame();
    equal(hand.of('wheel').length, 1);
  });

  it('scrolls sideways with Shift if the browser does not', () => {
    equal(remoteDelta(measure({ deltaY: 30, shiftKey: true }), 1, REMOTE), {
      deltaX: 30,
      deltaY: 0,
      notched: false,
    });
  });

  it('converts lines and pages to pixels', () => {
    equal(remoteDelta(measure({ deltaY: 3, deltaMode: 1 }), 0.5, REMOTE).deltaY, 120);
    equal(remoteDelta(measure({ deltaY: 1, deltaMode: 2 }), 0.5, REMOTE).deltaY, 600);
  });

  it('scrolls by one page in CSS pixels of the remote page', async () => {
    const dense = bench('other', {}, 2);
    const init = { clientX: 10, clientY: 10, deltaY: 1, deltaMode: WheelEvent.DOM_DELTA_PAGE };
    dense.surface.dispatchEvent(new WheelEvent('wheel', init));
    await frame();
    equal(dense.of('wheel')[0]?.deltaY, 300);
    dense.close();
  });

  it('distinguishes a notched wheel from a touchpad', () => {
    const notched = (fields: Partial<WheelMeasure>) => remoteDelta(measure(fields), 1, REMOTE).notched;
    equal(notched({ deltaY: 100, wheelDeltaY: -120 }), true);
    equal(notched({ deltaY: -120, wheelDeltaY: 120 }), true);
    equal(notched({ deltaY: 3, deltaMode: 1 }), true);
    equal(notched({ deltaY: 7, wheelDeltaY: -21 }), false);
    equal(notched({ deltaY: 40, wheelDeltaY: -120 }), false);
    equal(notched({ deltaY: 12 }), false);
  });
});
