import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentChange } from '../../../../server/src/host/encode/content-change.js';

const SIZE = { width: 96, height: 64 };
const WHOLE = { x: 0, y: 0, ...SIZE };
/** Bytes of a row, with padding. */
const STRIDE = 128;

function fill(data: Buffer, { x, y, width, height }: typeof WHOLE, level: number): void {
  for (let row = y; row < y + height; row++) data.fill(level, row * STRIDE + x, row * STRIDE + x + width);
}

describe('the share of a picture that has changed', () => {
  const changed = (area: typeof WHOLE, level: number) => {
    const data = Buffer.alloc(STRIDE * SIZE.height, 100);
    const change = new ContentChange(SIZE);
    change.during(area, { data, stride: STRIDE }, () => fill(data, area, level));
    return change;
  };

  it('is 1 if every pixel has another level, in any number of updates', () => {
    assert.equal(changed(WHOLE, 200).share, 1);
    const data = Buffer.alloc(STRIDE * SIZE.height);
    const change = new ContentChange(SIZE);
    for (let y = 0; y < SIZE.height; y += 2) {
      const area = { ...WHOLE, y, height: 2 };
      change.during(area, { data, stride: STRIDE }, () => fill(data, area, 255));
    }
    assert.equal(change.share, 1);
  });

  it('is the share of the area of an update', () => {
    assert.equal(changed({ ...WHOLE, height: 32 }, 200).share, 0.5);
    assert.equal(changed({ ...WHOLE, x: 48, width: 48 }, 0).share, 0.5);
  });

  it('leaves out small differences', () => {
    assert.equal(changed(WHOLE, 110).share, 0);
  });

  it('is counted from the last restart', () => {
    const change = changed(WHOLE, 200);
    change.restart();
    assert.equal(change.share, 0);
  });
});
