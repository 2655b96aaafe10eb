import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { largestOf, pathOf, ticksFor } from '../../../demo/operator/charts/chart-scale.js';
import { ageText, summaryText } from '../../../demo/operator/charts/chart-words.js';

const AREA = { left: 10, right: 110, top: 0, bottom: 50 };

describe('the grid lines of a chart', () => {
  it('are at round numbers up to the largest value', () => {
    assert.deepEqual(ticksFor(3, true), [0, 1, 2, 3]);
    assert.deepEqual(ticksFor(12, true), [0, 5, 10, 15]);
    assert.deepEqual(ticksFor(2_400, true), [0, 1_000, 2_000, 3_000]);
    assert.deepEqual(ticksFor(0.85, false), [0, 0.5, 1]);
    assert.deepEqual(ticksFor(0.3, false), [0, 0.1, 0.2, 0.3]);
  });

  it('are whole numbers for counts, and exist without data', () => {
    assert.deepEqual(ticksFor(1, true), [0, 1]);
    assert.deepEqual(ticksFor(0, true), [0, 1]);
    assert.deepEqual(ticksFor(0, false), [0, 1]);
  });

  it('are few, and cover the largest value', () => {
    for (let value = 0.001; value < 1e6; value *= 1.07) {
      const ticks = ticksFor(value, false);
      assert.ok(ticks.length >= 2 && ticks.length <= 6, `${value}: ${ticks.join()}`);
      assert.ok((ticks.at(-1) ?? 0) >= value * 0.998, `${value}: ${ticks.join()}`);
    }
  });
});

describe('a curve', () => {
  it('spans the chart from edge to edge, and from zero to the top', () => {
    assert.equal(pathOf([0, 5, 10], 10, AREA), 'M10.0 50.0L60.0 25.0L110.0 0.0');
  });

  it('is broken where data is missing, with a short dash for a single value', () => {
    assert.equal(pathOf([5, null, 5, 5, null], 10, AREA), 'M10.0 25.0h-4M60.0 25.0L85.0 25.0');
    assert.equal(pathOf([null, null], 10, AREA), '');
    assert.equal(pathOf([], 10, AREA), '');
  });

  it('is scaled by the largest value of all curves', () => {
    assert.equal(largestOf([[1, null], [7, 2], []]), 7);
    assert.equal(largestOf([[null]]), 0);
  });
});

describe('the text version of a chart', () => {
  const kind = { title: 'Sessions', show: (value: number) => `${value}` };

  it('has the current value and the range of each curve', () => {
    assert.equal(
      summaryText(kind, [
        { name: 'Running', values: [null, 2, 9, 4] },
        { name: 'p95', values: [1, null] },
        { name: 'Old', values: [null] },
      ]),
      'Sessions in the last hour. Running: 4 now, between 2 and 9. p95: unknown now, between 1 and 1. Old: nothing known.',
    );
  });

  it('has the time of a point', () => {
    assert.deepEqual([0, 30, 60, 3_570].map(ageText), ['now', '0.5 min ago', '1 min ago', '59.5 min ago']);
  });
});
