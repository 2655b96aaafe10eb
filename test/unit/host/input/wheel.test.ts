import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Modifier } from 'cloud-browser/protocol';
import type { PageAreas } from '../../../../server/src/host/input/page-area.js';
import { WheelInput } from '../../../../server/src/host/input/wheel.js';

/** Distance of one notch in CSS pixels. */
const NOTCH = 120;

/** Turns a wheel with notches. Returns the pressed buttons of the display's wheel. */
async function turned(deltaX: number, deltaY: number): Promise<number[]> {
  const buttons: number[] = [];
  const sink = {
    ...{ locked: false, move: () => undefined, moveBy: () => undefined, leave: () => undefined },
    button: (button: number, pressed: boolean) => {
      if (pressed) buttons.push(button);
    },
  };
  const areas = { at: () => assert.fail('The page gets no pixels.') } as unknown as PageAreas;
  const wheel = new WheelInput(sink, areas);
  await wheel.handle({ type: 'wheel', seq: 0, modifiers: 0, x: 1, y: 1, deltaX, deltaY, notched: true });
  return buttons;
}

it('a wheel with notches scrolls the largest distance of the protocol', async () => {
  const down = await turned(0, 4_095);
  assert.equal(down.length, Math.round(4_095 / NOTCH));
  assert.ok(down.every((button) => button === 5));
});

it('a wheel with notches turns at least one notch for each distance', async () => {
  assert.deepEqual(await turned(-0.5, 0), [6]);
  assert.deepEqual(await turned(0, -NOTCH), [4]);
});

it('a touchpad scrolls a page with the pressed modifiers, so that a pinch zooms a map', async () => {
  const posted: unknown[] = [];
  const page = { post: (_method: string, parameters: unknown) => posted.push(parameters) };
  const area = { page, left: 0, top: 10, scale: 1 };
  const areas = { at: () => Promise.resolve(area) } as unknown as PageAreas;
  const sink = {
    ...{ locked: false, move: () => undefined, moveBy: () => undefined, leave: () => undefined },
    button: () => assert.fail('The wheel of the display does not turn.'),
  };
  const event = { type: 'wheel', seq: 0, x: 5, y: 30, deltaX: 0, deltaY: -6, notched: false } as const;
  await new WheelInput(sink, areas).handle({ ...event, modifiers: Modifier.control | Modifier.shift });
  const modifiers = 2 | 8; // CDP's Control and Shift
  assert.deepEqual(posted, [{ type: 'mouseWheel', x: 5, y: 20, deltaX: 0, deltaY: -6, modifiers }]);
});
