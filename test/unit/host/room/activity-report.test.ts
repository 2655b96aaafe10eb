import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { ActivityReport } from '../../../../server/src/host/room/activity-report.js';

let told: number;
let report: ActivityReport;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  told = 0;
  report = new ActivityReport(() => (told += 1), 500);
});
afterEach(() => mock.timers.reset());

describe('an activity report', () => {
  it('is sent at once for the first activity', () => {
    report.active();
    assert.equal(told, 1);
  });

  it('is sent at most once per interval, and always for the last activity', () => {
    for (let time = 0; time < 1_000; time += 100) {
      report.active();
      mock.timers.tick(100);
    }
    assert.equal(told, 3, 'at 0, 500 and 1000 ms');
    mock.timers.tick(10_000);
    assert.equal(told, 3);
    report.active();
    assert.equal(told, 4);
  });

  it('ends when it is closed', () => {
    report.active();
    report.active();
    report.close();
    mock.timers.tick(10_000);
    assert.equal(told, 1);
  });
});
