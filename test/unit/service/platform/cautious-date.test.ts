import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CautiousDate, DOUBT_MS } from '../../../../server/src/platform/time/cautious-date.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** A calendar, and its distance from the time that has really passed. Milliseconds. */
function setUp() {
  const clock = new ManualClock();
  const begun = clock.date().getTime();
  const calendar = new CautiousDate(clock);
  return { clock, ahead: () => calendar.date().getTime() - begun - clock.now() };
}

describe('the calendar for the removal of old data', () => {
  it('follows the clock of the machine, also over small steps and over a step back', () => {
    const { clock, ahead } = setUp();
    clock.advance(YEAR_MS);
    assert.equal(ahead(), 0);
    clock.set(HOUR_MS);
    assert.equal(ahead(), HOUR_MS);
    clock.set(-YEAR_MS);
    assert.equal(ahead(), HOUR_MS - YEAR_MS);
  });

  it('follows a long step ahead only after a day', () => {
    const { clock, ahead } = setUp();
    clock.set(YEAR_MS);
    assert.equal(ahead(), 0);
    clock.advance(DOUBT_MS - 1);
    assert.equal(ahead(), 0);
    clock.advance(1);
    assert.equal(ahead(), YEAR_MS);
    clock.advance(HOUR_MS);
    assert.equal(ahead(), YEAR_MS);
  });

  it('ignores a long step ahead that is taken back within a day', () => {
    const { clock, ahead } = setUp();
    for (let time = 0; time < 3; time++) {
      clock.set(YEAR_MS);
      assert.equal(ahead(), 0);
      clock.advance(DOUBT_MS - 1);
      clock.set(-YEAR_MS);
      assert.equal(ahead(), 0);
    }
  });
});
