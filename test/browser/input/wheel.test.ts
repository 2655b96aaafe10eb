import { sendMouse } from '@web/test-runner-commands';
import { remoteDelta, type WheelMeasure } from '../../../src/input/pointer/wheel-delta.js';
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
