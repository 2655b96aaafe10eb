import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { systemClock } from '../../../../server/src/platform/time/clock.js';
import type { TimeoutLimits } from '../../../../server/src/create-fields/values/time-limits.js';
import { Timeouts } from '../../../../server/src/sessions/timeouts.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let clock: ManualClock;
let told: string[];
beforeEach(() => {
  clock = new ManualClock();
  told = [];
});

function begin(limits: Partial<TimeoutLimits>): Timeouts {
  const none = { absolute: null, inactive: null, offline: null, warning: 0 };
  return new Timeouts({ ...none, ...limits }, clock, {
    onCloseWarning: (kind, delay) => told.push(`${kind} ${delay === null ? 'hidden' : `in ${delay / 1000}`}`),
    onTimeout: (kind) => told.push(kind),
  });
}

/** Lets seconds pass one by one, as a real clock would. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second++) clock.advance(1000);
}

/** The session ends in the next second, and nothing was reported before. */
function endsNow(kind: string): void {
  assert.deepEqual(told, []);
  pass(1);
  assert.deepEqual(told, [kind]);
}

describe('the absolute limit', () => {
  it('ends the session a number of seconds after its creation, after a warning, whatever users do', () => {
    const timeouts = begin({ absolute: 100, warning: 60 });
    pass(39);
    timeouts.active();
    timeouts.connected(1);
    assert.deepEqual(told, []);
    pass(1);
    assert.deepEqual(told, ['absolute in 60']);
    pass(59);
    assert.deepEqual(told, ['absolute in 60']);
    pass(1);
    assert.deepEqual(told, ['absolute in 60', 'absolute']);
    assert.equal(clock.pending, 0);
  });

  it('can exceed the maximum of a timer', () => {
    begin({ absolute: 60 * 86_400 });
    for (let day = 0; day < 59; day++) clock.advance(86_400_000);
    assert.deepEqual(told, []);
    clock.advance(86_400_000);
    assert.deepEqual(told, ['absolute']);
  });
});

describe('the inactive limit', () => {
  it('counts from the last input, and input hides its warning', () => {
    const timeouts = begin({ inactive: 30, warning: 10 });
    timeouts.shown();
    pass(20);
    timeouts.active();
    assert.deepEqual(told, ['inactive in 10', 'inactive hidden']);
    pass(29);
    assert.deepEqual(told, ['inactive in 10', 'inactive hidden', 'inactive in 10']);
    pass(1);
    assert.equal(told.at(-1), 'inactive');
  });

  it('counts from the first picture, also after a ping before it, and has no warning before it', () => {
    const timeouts = begin({ inactive: 12, warning: 60 });
    timeouts.active();
    pass(14);
    timeouts.update({ warning: 0 });
    timeouts.shown();
    pass(11);
    endsNow('inactive');
  });

  it('that is shorter than its warning time warns at once, and again after each input', () => {
    const timeouts = begin({ inactive: 30, warning: 60 });
    timeouts.shown();
    assert.deepEqual(told, ['inactive in 30']);
    pass(5);
    timeouts.active();
    assert.deepEqual(told, ['inactive in 30', 'inactive in 30']);
  });
});

describe('the offline limit', () => {
  it('counts from the last command of a program that keeps the session alive', () => {
    const timeouts = begin({ offline: 30 });
    timeouts.shown();
    pass(20);
    timeouts.active();
    pass(29);
    endsNow('offline');
  });

  it("counts without viewers, from the first picture and from the last viewer's end", () => {
    const timeouts = begin({ offline: 30 });
    pass(100);
    timeouts.shown();
    pass(29);
    timeouts.connected(1);
    pass(100);
    timeouts.connected(2);
    timeouts.connected(0);
    pass(29);
    endsNow('offline');
  });

  it('does not start at the first picture if a viewer is connected by then', () => {
    const timeouts = begin({ offline: 1 });
    timeouts.connected(1);
    timeouts.shown();
    pass(10);
    assert.deepEqual(told, []);
    timeouts.connected(0);
    pass(1);
    assert.deepEqual(told, ['offline']);
  });

  it('of a second waits for a pending viewer, without a warning', () => {
    const timeouts = begin({ offline: 1, warning: 60 });
    timeouts.arriving(true);
    timeouts.shown();
    pass(3);
    assert.deepEqual(told, []);
    timeouts.connected(1);
    timeouts.arriving(false);
    pass(100);
    timeouts.connected(0);
    assert.deepEqual(told, ['offline in 1']);
    pass(1);
    assert.deepEqual(told, ['offline in 1', 'offline']);
  });

  it('starts again if the pending viewer does not join', () => {
    const timeouts = begin({ offline: 5 });
    timeouts.shown();
    pass(4);
    timeouts.arriving(true);
    pass(3);
    timeouts.arriving(false);
    pass(4);
    endsNow('offline');
  });

  // Proves: timeout.offline
  it('is delayed by at most 30 seconds for viewers that never join', () => {
    const timeouts = begin({ offline: 5 });
    timeouts.shown();
    for (let second = 0; second < 34; second++) {
      timeouts.arriving(second % 3 !== 0);
      pass(1);
    }
    endsNow('offline');
  });
});

describe('an update', () => {
  // Proves: timeout: reset and null
  it('replaces the named limits, removes limits with null, and restarts the counters', () => {
    const timeouts = begin({ absolute: 100, inactive: 50 });
    pass(40);
    timeouts.update({ absolute: 20, inactive: null });
    assert.deepEqual(timeouts.limits, { absolute: 20, inactive: null, offline: null, warning: 0 });
    pass(19);
    endsNow('absolute');
  });

  // Proves: timeout: reset and null
  it('with reset: false keeps the counters', () => {
    const timeouts = begin({ absolute: 100 });
    pass(40);
    timeouts.update({ absolute: 60, reset: false });
    pass(20);
    assert.deepEqual(told, ['absolute']);
  });

  it('with reset: false to an expired limit ends the session at once', () => {
    const timeouts = begin({ absolute: 100 });
    pass(40);
    timeouts.update({ absolute: 30, reset: false });
    assert.deepEqual(told, ['absolute']);
  });

  it('that changes the deadline hides the warning', () => {
    const timeouts = begin({ absolute: 100, warning: 60 });
    pass(50);
    timeouts.update({ absolute: 200 });
    assert.deepEqual(told, ['absolute in 60', 'absolute hidden']);
    timeouts.update({ warning: 200, reset: false });
    assert.equal(told.at(-1), 'absolute in 200');
  });

  it('does not start the offline counter while a viewer is connected', () => {
    const timeouts = begin({ offline: 10 });
    timeouts.shown();
    timeouts.connected(1);
    timeouts.update({ offline: 5 });
    pass(20);
    assert.deepEqual(told, []);
  });
});

describe("the machine's calendar clock", () => {
  const HOUR = 3_600_000;
  afterEach(() => mock.timers.reset());

  for (const [name, jump] of [
    ['forward', HOUR],
    ['back', -HOUR],
  ] as const) {
    // Proves: limits on a clock that cannot be set
    it(`has no effect on limits when it is moved ${name} by an hour`, async () => {
      const start = Date.now();
      // The warning is skipped if the machine stands still from then to the end.
      const limits = { absolute: 2, inactive: null, offline: null, warning: 1.9 };
      const since = performance.now();
      const ended = new Promise<number>((resolve) => {
        new Timeouts(limits, systemClock, {
          onCloseWarning: (kind) => told.push(`${kind} soon`),
          onTimeout: () => resolve(performance.now() - since),
        });
      });
      mock.timers.enable({ apis: ['Date'], now: start + jump });
      assert.equal(Date.now(), start + jump);
      assert.deepEqual(told, []);
      // The clock's timers do not keep a process alive.
      const alive = setInterval(() => undefined, 1_000);
      const took = await ended;
      clearInterval(alive);
      assert.deepEqual(told, ['absolute soon']);
      assert.ok(took >= 2_000, `${took} ms`);
    });
  }
});

describe('a session that is over', () => {
  it('has no active timer', () => {
    const timeouts = begin({ absolute: 100, inactive: 50, offline: 10 });
    timeouts.stop();
    timeouts.active();
    timeouts.shown();
    timeouts.arriving(true);
    timeouts.connected(0);
    timeouts.update({ absolute: 1 });
    pass(200);
    assert.deepEqual(told, []);
    assert.equal(clock.pending, 0);
  });
});
