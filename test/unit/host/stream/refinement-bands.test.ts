import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefinementBands } from '../../../../server/src/host/stream/refinement-bands.js';

const AREA = { x: 64, y: 100, width: 640, height: 150 };

test('without a limit the area is refined at once', () => {
  assert.deepEqual(new RefinementBands().next(AREA, Infinity), { area: AREA, isLast: true });
});

test('bands cover the area from top to bottom, in whole rows of blocks', () => {
  const bands = new RefinementBands();
  const seen = [];
  for (let isLast = false; !isLast;) {
    const next = bands.next(AREA, 5_000);
    ({ isLast } = next);
    seen.push(next.area);
    bands.sent(next.area, 5_000);
  }
  assert.ok(seen.length > 1);
  let y = AREA.y;
  for (const band of seen) {
    assert.deepEqual([band.x, band.width, band.y], [AREA.x, AREA.width, y]);
    y += band.height;
    assert.ok(y % 16 === 0 || y === AREA.y + AREA.height);
  }
  assert.equal(y, AREA.y + AREA.height);
});

test('a band has at least one row of blocks', () => {
  const { area, isLast } = new RefinementBands().next(AREA, 1);
  assert.deepEqual([area.height, isLast], [16, false]);
});

test('bands get smaller if the picture needs more bytes than expected', () => {
  const bands = new RefinementBands();
  const first = bands.next({ ...AREA, height: 1_000 }, 20_000).area;
  bands.sent(first, 100_000);
  assert.ok(bands.next({ ...AREA, height: 1_000 }, 20_000).area.height < first.height);
});

test('after a change the bands start at the top', () => {
  const bands = new RefinementBands();
  bands.sent(bands.next(AREA, 1).area, 100);
  assert.equal(bands.hasStarted, true);
  bands.restart();
  assert.equal(bands.hasStarted, false);
  assert.equal(bands.next(AREA, 1).area.y, AREA.y);
});
