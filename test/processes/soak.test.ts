import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Churn } from '../soak/churn.js';
import { compareCounts } from '../soak/report.js';
import { judgeSlope, slopeOf } from '../soak/slope.js';

const WARM_UP = 24;
const SESSIONS = 60;

describe('a service after many sessions', () => {
  // Proves: sessions that ended leave nothing in the service
  it('has as many timers, descriptors, records, events and hosts as before', async () => {
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
      at: minute / 60,
      value: 100 + (minute / 60) * perHour + (minute % 2 === 0 ? noise : -noise),
    }));

  it('is the slope of a line fitted to the samples', () => {
    const { slope, margin } = slopeOf(line(7, 0));
    assert.ok(Math.abs(slope - 7) < 0.001 && margin < 0.001);
  });

  it('is judged only as precisely as the samples allow', () => {
    assert.equal(judgeSlope(slopeOf(line(1, 0.1)), 5), 'proved');
    assert.equal(judgeSlope(slopeOf(line(9, 0.1)), 5), 'leak');
    assert.equal(judgeSlope(slopeOf(line(5, 20)), 5), 'unsure');
    assert.equal(judgeSlope(slopeOf(line(9, 0).slice(0, 2)), 5), 'unsure');
  });

  it('has a margin that contains the true value in nine of ten random walks without growth', () => {
    let [state, within] = [1, 0];
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    for (let walk = 0; walk < 400; walk++) {
      let value = 0;
      const samples = Array.from({ length: 40 }, (_, at) => ({
        at,
        value: (value = 0.6 * value + random()),
      }));
      const { slope, margin } = slopeOf(samples);
      if (Math.abs(slope) <= margin) within += 1;
    }
    assert.ok(within >= 360, `${within} of 400`);
  });
});
