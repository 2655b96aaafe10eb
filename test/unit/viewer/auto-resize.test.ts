import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AutoResize } from '../../../src/viewer/controls/auto-resize.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

let timers: ManualTimers;
let told: string[];
let resize: AutoResize;
beforeEach(() => {
  Object.assign(globalThis, { devicePixelRatio: 2 });
  timers = new ManualTimers();
  told = [];
  resize = new AutoResize(
    { setBox: (box) => told.push(box ? `${box.width}x${box.height}` : 'none') },
    timers,
  );
  resize.on = true;
});
afterEach(() => Reflect.deleteProperty(globalThis, 'devicePixelRatio'));

/** Sets the container's size in CSS pixels, on a screen with two device pixels per CSS pixel. */
const box = (width: number, height: number) =>
  resize.follow({ css: { width, height }, device: { width: width * 2, height: height * 2 } });

describe('automatic resizing', () => {
  it('sends the first size at once, and later sizes when they are stable', () => {
    box(800, 600);
    box(700, 600);
    timers.advance(149);
    assert.deepEqual(told, ['800x600']);
    timers.advance(1);
    assert.deepEqual(told, ['800x600', '700x600']);
  });

  it('sends few sizes, however long the user drags with pauses', () => {
    box(800, 600);
    for (let step = 0; step < 50; step++) {
      box(300 + step, 500);
      timers.advance(450);
    }
    timers.advance(500);
    assert.ok(told.length <= 10, told.join(' '));
    assert.equal(told.at(-1), '349x500');
  });

  it('is fast again after a while', () => {
    box(800, 600);
    for (let step = 0; step < 10; step++) {
      box(300 + step, 500);
      timers.advance(600);
    }
    timers.advance(3_000);
    box(500, 500);
    timers.advance(150);
    assert.equal(told.at(-1), '500x500');
  });

  it('sends nothing if the box returns to its size before it was stable', () => {
    box(800, 600);
    box(700, 600);
    box(800, 600);
    timers.advance(5_000);
    assert.deepEqual(told, ['800x600']);
  });

  it('ignores a box without a size', () => {
    box(0, 0);
    box(800, 600);
    box(0, 600);
    timers.advance(5_000);
    assert.deepEqual(told, ['800x600']);
  });

  it('uses device pixels where the box has fractions of CSS pixels', () => {
    resize.follow({ css: { width: 333.33, height: 400 }, device: { width: 667, height: 800 } });
    assert.deepEqual(told, ['334x400']);
  });

  it('stops when it is disabled, and continues at once when it is enabled again', () => {
    box(800, 600);
    box(700, 600);
    resize.on = false;
    timers.advance(5_000);
    resize.on = true;
    assert.deepEqual(told, ['800x600', 'none', '700x600']);
  });
});
