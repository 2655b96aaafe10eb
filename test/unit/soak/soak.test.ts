import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Churn } from '../../soak/churn.js';
import { compareCounts } from '../../soak/report.js';
import { judgeSlope, slopeOf } from '../../soak/slope.js';

const HOUR_MS = 3_600_000;
const WARM_UP = 24;
const SESSIONS = 60;

describe('a service in which sessions have come and gone', () => {
  it('holds what it held before: no timer, descriptor, record, event or host more', async () => {
    const churn = await Churn.start();
    try {
      await churn.run(WARM_UP);
      const before = await churn.measure();
      await churn.run(SESSIONS);
      const compared = compareCounts(before, await churn.measure());
      assert.deepEqual(
        compared.filter((each) => each.after > each.before),
        [],
      );
    } finally {
      await churn.stop();
    }
  });
});

describe('the growth of memory', () => {
  const line = (perHour: number, noise: number) =>
    Array.from({ length: 60 }, (_, minute) => ({
      at: (minute / 60) * HOUR_MS,
      value: 100 + (minute / 60) * perHour + (minute % 2 === 0 ? noise : -noise),
    }));

  it('is the slope of the line through the samples', () => {
    const { perHour, margin } = slopeOf(line(7, 0));
    assert.ok(Math.abs(perHour - 7) < 0.001 && margin < 0.001);
  });

  it('is judged only as far as the samples tell', () => {
    assert.equal(judgeSlope(slopeOf(line(1, 0.1)), 5), 'proved');
    assert.equal(judgeSlope(slopeOf(line(9, 0.1)), 5), 'leak');
    assert.equal(judgeSlope(slopeOf(line(5, 20)), 5), 'unsure');
    assert.equal(judgeSlope(slopeOf(line(9, 0).slice(0, 2)), 5), 'unsure');
  });
});
