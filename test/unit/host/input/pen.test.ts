import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { PenState } from '../../../../src/protocol/index.js';
import type { CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import type { PageArea } from '../../../../server/src/host/input/page-area.js';
import { Pen } from '../../../../server/src/host/input/pen.js';
import { Pointer } from '../../../../server/src/host/input/pointer.js';

const TIP: PenState = { pressure: 0.5, tiltX: 30, tiltY: -10 };

describe("a user's stylus", () => {
  /** Actions on the display and on the page, in order. */
  let did: unknown[];
  let area: PageArea | undefined;
  let locked: boolean;
  let now: number;
  let pointer: Pointer;
  let pen: Pen;

  beforeEach(() => {
    did = [];
    locked = false;
    now = 0;
    const post = (method: string, params: object) => void did.push({ method, ...params });
    area = { page: { post } as unknown as CdpSession, left: 10, top: 100, scale: 2 };
    pointer = new Pointer({
      move: (x, y) => void did.push(`move ${x} ${y}`),
      moveBy: (x, y) => void did.push(`by ${x} ${y}`),
      leave: () => undefined,
      button: (button, pressed) => void did.push(`${pressed ? 'press' : 'lift'} ${button}`),
      get locked() {
        return locked;
      },
    });
    const areas = { underPointer: () => Promise.resolve(area) };
    const sync = {
      settled() {
        did.push('settled');
        return Promise.resolve();
      },
    };
    const sink = {
      get locked() {
        return locked;
      },
    };
    pen = new Pen(pointer, { areas, sync, sink }, { now: () => now });
  });

  const base = { seq: 1, modifiers: 0 };
  const move = (x: number, y: number, state?: PenState) =>
    pen.move({ type: 'move', ...base, x, y, ...(state && { pen: state }) });
  const button = (pressed: boolean, x: number, y: number, more: { button?: number; pen?: PenState } = {}) =>
    pen.handle({ type: 'button', ...base, button: 0, pressed, x, y, ...more });
  const press = (x: number, y: number) => button(true, x, y, { pen: TIP });
  const lift = (x: number, y: number) => button(false, x, y, { pen: { ...TIP, pressure: 0 } });
  const sent = (type: string, x: number, y: number, more: object) => ({
    ...{ method: 'Input.dispatchMouseEvent', type, x, y, modifiers: 0, button: 'left' },
    ...{ clickCount: 1, pointerType: 'pen', ...more },
  });

  it('draws on the page, and leaves the pointer of the display where the tip came down', async () => {
    move(30, 120);
    await press(30, 120);
    move(50, 140, { pressure: 0.75, tiltX: -5, tiltY: 0 });
    assert.ok(pen.isDown);
    await lift(50, 140);
    move(60, 140);
    assert.ok(!pen.isDown);
    assert.deepEqual(did, [
      'move 30 120',
      'move 30 120',
      'settled',
      sent('mousePressed', 10, 10, { buttons: 1, force: 0.5, tiltX: 30, tiltY: -10 }),
      sent('mouseMoved', 20, 20, { buttons: 1, force: 0.75, tiltX: -5, tiltY: 0 }),
      sent('mouseReleased', 20, 20, { buttons: 0 }),
      'move 60 140',
    ]);
  });

  it("is the mouse on the browser's own interface, and where no page answers", async () => {
    area = undefined;
    await press(30, 20);
    move(40, 20, TIP);
    await lift(40, 20);
    const places = ['move 30 20', 'press 1', 'move 40 20', 'move 40 20', 'lift 1'];
    assert.deepEqual(did, ['move 30 20', 'settled', ...places]);
  });

  it('is the mouse with its side button, while a page has locked the pointer, and during a drag', async () => {
    await button(true, 30, 120, { button: 2, pen: TIP });
    await press(30, 120);
    locked = true;
    await button(false, 30, 120, { button: 2 });
    await lift(30, 120);
    await press(30, 120);
    const words = did.filter((each) => typeof each === 'string' && /press|lift|settled/.test(each));
    assert.deepEqual(words, ['press 3', 'press 1', 'lift 3', 'lift 1', 'press 1']);
  });

  it('ignores other buttons, and moves of a mouse, while its tip is down', async () => {
    await press(30, 120);
    await button(true, 30, 120, { button: 2 });
    await button(false, 30, 120, { button: 2 });
    await press(30, 120);
    move(99, 99);
    assert.equal(did.length, 3);
  });

  it('is lifted once at its last position when all input is released', async () => {
    await press(30, 120);
    move(50, 140, TIP);
    pen.lift();
    pen.lift();
    await lift(70, 140);
    assert.deepEqual(did.slice(-2), [sent('mouseReleased', 20, 20, { buttons: 0 }), 'move 70 140']);
  });

  it('double-clicks with two presses that are near in time and place', async () => {
    const presses: [time: number, x: number, y: number][] = [
      [0, 30, 120],
      [400, 33, 122],
      [1000, 33, 122],
      [1200, 60, 122],
    ];
    for (const [time, x, y] of presses) {
      now = time;
      await press(x, y);
      await lift(x, y);
    }
    const counts = did.map((each) => each as { type?: string; clickCount?: number });
    assert.deepEqual(
      counts.filter(({ type }) => type === 'mousePressed').map(({ clickCount }) => clickCount),
      [1, 2, 1, 1],
    );
  });
});
