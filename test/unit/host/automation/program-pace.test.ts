import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ProgramPace,
  SharedPace,
} from '../../../../server/src/host/features/automation/programs/program-pace.js';
import { TimeBudget } from '../../../../server/src/platform/rates/time-budget.js';

/** A clock that a test moves. */
class Time {
  ms = 0;
  readonly now = () => this.ms;
}

describe('a budget of time', () => {
  it('allows a burst, and then its share of the time', () => {
    const time = new Time();
    const budget = new TimeBudget({ share: 0.1, burstMs: 200 }, time.now);
    let used = 0;
    for (; time.ms < 10_000; time.ms += budget.wait)
      while (budget.wait === 0) {
        budget.use(1);
        used += 1;
      }
    assert.ok(used > 1_150 && used < 1_250, `${used} ms of 10,000`);
  });

  it('has a limited debt, so that one long piece of work does not stop all others for long', () => {
    const time = new Time();
    const budget = new TimeBudget({ share: 0.1, burstMs: 200 }, time.now);
    budget.use(60_000);
    assert.ok(budget.wait > 1_900 && budget.wait < 2_100, `${budget.wait} ms`);
    time.ms += budget.wait;
    assert.equal(budget.wait, 0);
  });
});

describe('the pace of a program', () => {
  it('lets a program that computes for a tenth of the time go on without a wait', () => {
    const time = new Time();
    const pace = new ProgramPace(new SharedPace(time.now), time.now);
    for (let command = 0; command < 5_000; command++) {
      assert.equal(pace.wait(200), 0);
      pace.begins(200);
      pace.used(0.2);
      time.ms += 2;
    }
  });

  it('makes all programs wait after twenty have used the time of all, but leaves one program a share', () => {
    const time = new Time();
    const all = new SharedPace(time.now);
    const greedy = new ProgramPace(all, time.now);
    const modest = new ProgramPace(all, time.now);
    while (greedy.wait(1) === 0) greedy.used(1);
    assert.equal(modest.wait(1), 0, 'one program does not use up the time of all');
    const others = Array.from({ length: 20 }, () => new ProgramPace(all, time.now));
    for (const other of others) while (other.wait(1) === 0) other.used(1);
    assert.ok(modest.wait(1) > 0);
    time.ms += modest.wait(1);
    assert.equal(modest.wait(1), 0);
  });

  it('slows down a program with many refused commands, and no other one', () => {
    const time = new Time();
    const all = new SharedPace(time.now);
    const [program, other] = [new ProgramPace(all, time.now), new ProgramPace(all, time.now)];
    let refused = 0;
    for (; time.ms < 10_000; time.ms += 1)
      if (program.wait(1) === 0) {
        program.refused();
        refused += 1;
      }
    assert.ok(refused > 650 && refused < 750, `${refused} in 10 s`);
    assert.equal(other.wait(1), 0);
  });

  it('allows a few messages that are no commands', () => {
    const time = new Time();
    const pace = new ProgramPace(new SharedPace(time.now), time.now);
    const allowed = Array.from({ length: 100 }, () => pace.allowsMalformed()).filter(Boolean).length;
    assert.equal(allowed, 50);
    time.ms += 60_000;
    assert.equal(pace.allowsMalformed(), true);
  });
});

describe('people who act', () => {
  const press = { type: 'button', seq: 1, modifiers: 0, x: 1, y: 1, button: 0, pressed: true } as const;

  it('make programs wait for a moment after a press, and not after a move or a release', () => {
    const time = new Time();
    const shared = new SharedPace(time.now);
    const pace = new ProgramPace(shared, time.now);
    shared.people.acted({ type: 'move', seq: 1, modifiers: 0, x: 1, y: 1 });
    shared.people.acted({ ...press, pressed: false });
    assert.equal(pace.wait(1), 0);
    shared.people.acted(press);
    assert.equal(pace.wait(1), 50);
    time.ms += 50;
    assert.equal(pace.wait(1), 0);
  });

  it('leave programs at least half of the time', () => {
    const time = new Time();
    const shared = new SharedPace(time.now);
    let held = 0;
    for (; time.ms < 1_000; time.ms += 1) {
      shared.people.acted(press);
      if (shared.people.wait > 0) held += 1;
    }
    assert.ok(held > 450 && held < 550, `${held} ms of 1,000`);
  });
});
