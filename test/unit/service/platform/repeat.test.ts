import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repeat, type RepeatOptions } from '../../../../server/src/platform/time/repeat.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** Settles all promises that need no time. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A synchronous task that counts its runs. */
function counted(options: RepeatOptions, task: () => void = () => undefined) {
  const clock = new ManualClock();
  const lates: number[] = [];
  const repetition = repeat(clock, options, (late) => {
    lates.push(late);
    task();
  });
  return { clock, repetition, lates };
}

/** An asynchronous task whose runs end when the test ends them. */
function open(options: RepeatOptions) {
  const clock = new ManualClock();
  const runs: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const repetition = repeat(
    clock,
    options,
    () => new Promise<void>((resolve, reject) => runs.push({ resolve, reject })),
  );
  return { clock, repetition, runs };
}

describe('a repeated task', () => {
  it('runs after each interval, and not at once', () => {
    const { clock, lates } = counted({ every: 100 });
    clock.advance(99);
    assert.equal(lates.length, 0);
    clock.advance(1);
    clock.advance(100);
    assert.deepEqual(lates, [0, 0]);
  });

  it('starts after the first delay', () => {
    const { clock, lates } = counted({ every: 100, first: 0 });
    assert.equal(lates.length, 0);
    clock.advance(0);
    assert.equal(lates.length, 1);
    clock.advance(99);
    assert.equal(lates.length, 1);
  });

  it('reads the interval after each run', () => {
    const waits = [10, 20, 30];
    const { clock, lates } = counted({ every: () => waits.shift() ?? Infinity });
    for (const wait of [10, 20, 30]) clock.advance(wait);
    assert.equal(lates.length, 3);
    assert.equal(clock.pending, 0, 'Infinity plans no run');
  });

  it('receives the delay of a late run', () => {
    const { clock, lates } = counted({ every: 100 });
    clock.advance(350);
    assert.deepEqual(lates, [250]);
  });

  it('plans the next run after the end of the current one', async () => {
    const { clock, runs } = open({ every: 100 });
    clock.advance(100);
    clock.advance(1_000);
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await settle();
    clock.advance(99);
    assert.equal(runs.length, 1);
    clock.advance(1);
    assert.equal(runs.length, 2);
  });
});

describe('an error of a repeated task', () => {
  it('goes to the handler, and the task continues', async () => {
    const errors: unknown[] = [];
    const { clock, runs } = open({ every: 100, onError: (error) => errors.push(error) });
    clock.advance(100);
    runs[0]?.reject(new Error('first'));
    await settle();
    clock.advance(100);
    assert.equal(runs.length, 2);
    assert.match(String(errors), /first/);
  });

  it('goes to the handler when the task throws synchronously', () => {
    const errors: unknown[] = [];
    const { clock, lates } = counted({ every: 100, onError: (error) => errors.push(error) }, () => {
      throw new Error('thrown');
    });
    clock.advance(100);
    clock.advance(100);
    assert.equal(lates.length, 2);
    assert.equal(errors.length, 2);
  });

  it('without a handler does not stop the task', () => {
    const { clock, lates } = counted({ every: 100 }, () => {
      throw new Error('thrown');
    });
    for (const run of [1, 2]) {
      assert.throws(() => clock.advance(100), /thrown/);
      assert.equal(lates.length, run);
    }
  });
});

describe('a stopped task', () => {
  it('does not run again, also on request', async () => {
    const { clock, repetition, lates } = counted({ every: 100 });
    repetition.stop();
    repetition.stop();
    repetition.runIn(0);
    await repetition.runNow();
    clock.advance(1_000);
    assert.equal(lates.length, 0);
    assert.equal(clock.pending, 0);
  });

  it('can be stopped by itself', () => {
    const { clock, repetition, lates } = counted({ every: 100 }, () => repetition.stop());
    clock.advance(100);
    clock.advance(100);
    assert.equal(lates.length, 1);
  });

  it('can be stopped during a run, with a promise for its end', async () => {
    const { clock, repetition, runs } = open({ every: 100 });
    clock.advance(100);
    repetition.runIn(0);
    repetition.stop();
    let finished = false;
    const end = repetition.finished().then(() => (finished = true));
    await settle();
    assert.equal(finished, false);
    runs[0]?.resolve();
    await end;
    clock.advance(1_000);
    assert.equal(runs.length, 1);
  });
});

describe('a task that runs on request', () => {
  it('is planned once, after the interval', () => {
    let wait = Infinity;
    const { clock, repetition, lates } = counted({ every: () => wait });
    repetition.wake();
    assert.equal(clock.pending, 0, 'there is nothing to do yet');
    wait = 100;
    repetition.wake();
    clock.advance(60);
    repetition.wake();
    assert.equal(clock.pending, 1);
    clock.advance(40);
    assert.equal(lates.length, 1, 'a second call did not postpone the run');
  });

  it('is planned after the current run, not during it', async () => {
    const { clock, repetition, runs } = open({ every: 100 });
    clock.advance(100);
    repetition.wake();
    assert.equal(clock.pending, 0);
    runs[0]?.resolve();
    await settle();
    assert.equal(clock.pending, 1);
  });
});

describe('an immediate run', () => {
  it('replaces the planned one', () => {
    const { clock, repetition, lates } = counted({ every: 100 });
    repetition.runIn(10);
    clock.advance(10);
    assert.equal(lates.length, 1);
    assert.equal(clock.pending, 1);
    repetition.runIn(Infinity);
    assert.equal(clock.pending, 0);
  });

  it('waits for the current run', async () => {
    const { clock, repetition, runs } = open({ every: 100 });
    clock.advance(100);
    repetition.runIn(10);
    clock.advance(10);
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await settle();
    clock.advance(10);
    assert.equal(runs.length, 2);
  });

  it('can start at once, and the interval starts again', () => {
    const { clock, repetition, lates } = counted({ every: 100 });
    clock.advance(50);
    void repetition.runNow();
    assert.equal(lates.length, 1);
    clock.advance(99);
    assert.equal(lates.length, 1);
    clock.advance(1);
    assert.equal(lates.length, 2);
  });

  it('runs once for each caller, one after the other', async () => {
    const { clock, repetition, runs } = open({ every: 100 });
    clock.advance(100);
    const ended: number[] = [];
    const both = [1, 2].map((caller) => repetition.runNow().then(() => ended.push(caller)));
    for (let run = 0; run < 3; run++) {
      await settle();
      assert.equal(runs.length, run + 1);
      runs[run]?.resolve();
    }
    await Promise.all(both);
    assert.deepEqual(ended, [1, 2]);
    assert.equal(clock.pending, 1);
  });
});
