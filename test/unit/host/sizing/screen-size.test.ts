import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  areaOf,
  fits,
  followedRatio,
  pixelsOf,
  ratioWithin,
  SCREEN_LIMITS,
  sizeForBox,
} from '../../../../server/src/platform/screen-size.js';
import { Random } from '../../../walk/random.js';

const { minSide, maxSide, maxArea } = SCREEN_LIMITS;
const chance = new Random(16);
const between = (low: number, high: number) => low + chance.next() * (high - low);

describe('the screen size for a box', () => {
  it('is the box if the screen supports it, rounded to whole pixels', () => {
    assert.deepEqual(sizeForBox({ width: 801.4, height: 600.5 }, 1, maxArea), { width: 801, height: 601 });
    assert.deepEqual(sizeForBox({ width: 390, height: 844 }, 2, maxArea), { width: 390, height: 844 });
  });

  it('has the aspect ratio of a box that is too large', () => {
    assert.deepEqual(sizeForBox({ width: 3840, height: 2160 }, 1, maxArea), { width: 1920, height: 1080 });
    assert.deepEqual(sizeForBox({ width: 2160, height: 3840 }, 2, maxArea), { width: 540, height: 960 });
  });

  it('has the aspect ratio of a box that is too small', () => {
    assert.deepEqual(sizeForBox({ width: 320, height: 160 }, 1, maxArea), { width: 512, height: 256 });
    assert.deepEqual(sizeForBox({ width: 128, height: 192 }, 2, maxArea), { width: 256, height: 384 });
    assert.deepEqual(sizeForBox({ width: 100, height: 100 }, 1, maxArea), { width: 256, height: 256 });
  });

  it('is supported by the screen, whatever the box', () => {
    for (let count = 0; count < 2_000; count++) {
      const box = { width: between(0.1, 9_000), height: between(0.1, 9_000) };
      const pixelRatio = [1, 1.25, 1.5, 2, 2.625, 3][Math.floor(between(0, 6))] ?? 1;
      const bound = Math.floor(between(minSide * minSide * pixelRatio ** 2 + 1, maxArea));
      const size = sizeForBox(box, pixelRatio, bound);
      const sides = [size.width, size.height];
      const told = JSON.stringify({ box, pixelRatio, bound, size });
      assert.ok(
        sides.every((side) => Number.isInteger(side) && side >= minSide),
        told,
      );
      assert.ok(fits({ ...size, pixelRatio }, bound), told);
    }
  });
});

describe('the pixels of a screen', () => {
  it('are whole numbers within the maximum of the page', () => {
    assert.deepEqual(pixelsOf({ width: 391, height: 845, pixelRatio: 1.5 }), { width: 586, height: 1267 });
    assert.equal(areaOf({ width: 640, height: 360, pixelRatio: 2 }), 1280 * 720);
  });

  it('are as dense as the maximum allows', () => {
    assert.equal(ratioWithin({ width: 640, height: 360 }, 2, maxArea), 2);
    assert.equal(ratioWithin({ width: 390, height: 844 }, 3, maxArea), 2.5);
    assert.equal(ratioWithin({ width: maxSide, height: 256 }, 3, maxArea), 1);
    for (let count = 0; count < 500; count++) {
      const size = { width: Math.round(between(256, 1_920)), height: Math.round(between(256, 1_080)) };
      assert.ok(fits({ ...size, pixelRatio: ratioWithin(size, between(1, 3), maxArea) }, maxArea));
    }
  });

  it("have the density of a viewer's, from one to three", () => {
    assert.deepEqual([0.5, 1, 1.1, 2.625, 4].map(followedRatio), [1, 1, 1.09375, 2.625, 3]);
  });
});
