import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ProcessUse } from '../../../../server/src/host/limits/session-processes.js';
import { ANSWER_TIMEOUT_MS, ProgramFreezer } from '../../../../server/src/host/standby/program-freezer.js';
import { LOOK_INTERVAL_MS, Standby } from '../../../../server/src/host/standby/standby.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const AFTER_MS = 60_000;

let clock: ManualClock;
let events: string[];
let used: boolean;
/** Lets the programs finish their preparation. */
let prepared: () => void;
let preparing: Promise<void>;
beforeEach(() => {
  clock = new ManualClock();
  [events, used] = [[], false];
  [preparing, prepared] = [Promise.resolve(), () => undefined];
});

function open(afterMs = AFTER_MS): Standby {
  const event = (what: string) => void events.push(what);
  return new Standby({
    ...{ clock, afterMs, isUsed: () => used },
    programs: { prepare: () => preparing, freeze: () => event('freeze'), thaw: () => event('thaw') },
    trim: () => Promise.reject(new Error('The page does not answer.')),
    onPause: (paused) => event(paused ? 'pause' : 'continue'),
    onChange: (standby) => event(standby ? 'standby' : 'running'),
  });
}

async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= LOOK_INTERVAL_MS) {
    clock.advance(Math.min(left, LOOK_INTERVAL_MS));
    await turn();
  }
}

const FROZEN = ['pause', 'freeze', 'standby'];
const CONTINUED = ['thaw', 'continue', 'running'];

describe('standby', () => {
  // Proves: standby
  it('freezes a session after the time without use, and continues it at once', async () => {
    const standby = open();
    await pass(AFTER_MS - LOOK_INTERVAL_MS);
    assert.deepEqual(events, []);
    await pass(LOOK_INTERVAL_MS);
    assert.deepEqual(events, FROZEN);
    assert.equal(standby.frozen, true);
    standby.wake();
    assert.deepEqual(events, [...FROZEN, ...CONTINUED]);
    assert.equal(standby.frozen, false);
  });

  it('starts the time anew after each use', async () => {
    const standby = open();
    await pass(AFTER_MS - LOOK_INTERVAL_MS);
    used = true;
    await pass(LOOK_INTERVAL_MS);
    used = false;
    await pass(AFTER_MS - LOOK_INTERVAL_MS);
    standby.wake();
    await pass(AFTER_MS - LOOK_INTERVAL_MS);
    assert.deepEqual(events, []);
    await pass(LOOK_INTERVAL_MS);
    assert.deepEqual(events, FROZEN);
  });

  it('freezes the session again after it was continued', async () => {
    const standby = open();
    await pass(AFTER_MS);
    standby.wake();
    await pass(AFTER_MS);
    assert.deepEqual(events, [...FROZEN, ...CONTINUED, ...FROZEN]);
  });

  it('waits for the end of a task that needs the programs', async () => {
    const standby = open();
    await pass(AFTER_MS);
    let finish: (value: string) => void = () => undefined;
    const task = standby.during(() => new Promise<string>((resolve) => (finish = resolve)));
    assert.deepEqual(events, [...FROZEN, ...CONTINUED]);
    await pass(2 * AFTER_MS);
    assert.deepEqual(events, [...FROZEN, ...CONTINUED]);
    finish('done');
    assert.equal(await task, 'done');
    await pass(AFTER_MS);
    assert.deepEqual(events, [...FROZEN, ...CONTINUED, ...FROZEN]);
  });

  it('counts a task that fails as use, and no longer', async () => {
    const standby = open();
    await assert.rejects(standby.during(() => Promise.reject(new Error('no tab'))));
    await pass(AFTER_MS);
    assert.deepEqual(events, FROZEN);
  });

  for (const [who, come] of [
    ['comes', (standby: Standby) => standby.wake()],
    ['is there', () => (used = true)],
    ['ends the session', (standby: Standby) => standby.end()],
  ] as const)
    it(`does not freeze the session if somebody ${who} while it is prepared`, async () => {
      preparing = new Promise((resolve) => (prepared = resolve));
      const standby = open();
      await pass(AFTER_MS);
      come(standby);
      prepared();
      await turn();
      assert.deepEqual(events, []);
      assert.equal(standby.frozen, false);
    });

  it('continues the programs before the session ends, and never freezes them again', async () => {
    const standby = open();
    await pass(AFTER_MS);
    standby.end();
    assert.deepEqual(events, [...FROZEN, ...CONTINUED]);
    await pass(2 * AFTER_MS);
    standby.wake();
    assert.deepEqual(events, [...FROZEN, ...CONTINUED]);
    assert.equal(clock.pending, 0);
  });

  it('sets no timer in a session that does not allow it', async () => {
    open(Infinity);
    assert.equal(clock.pending, 0);
    await pass(2 * AFTER_MS);
    assert.deepEqual(events, []);
  });
});

describe('the programs of a session', () => {
  const use = (pid: number, changes: Partial<ProcessUse> = {}): ProcessUse => ({
    ...{ pid, parent: 1, memoryBytes: 0, tasks: 1, ticks: 0, stopped: false, zombie: false },
    ...changes,
  });
  let failures: unknown[];
  let asked: number;
  let running: ProcessUse[];
  let file: string;
  let directory: string;
  afterEach(() => rmSync(directory, { recursive: true }));
  beforeEach(() => {
    [failures, asked, running] = [[], 0, [use(process.pid), use(11), use(12, { zombie: true })]];
    directory = mkdtempSync(join(tmpdir(), 'cloud-browser-freezer-'));
    file = join(directory, 'cgroup.freeze');
    writeFileSync(file, '0');
  });

  const freezerOf = (answer: (freezer: ProgramFreezer) => void) => {
    const freezer: ProgramFreezer = new ProgramFreezer({
      clock,
      askFile: () => {
        asked += 1;
        answer(freezer);
      },
      onFailure: (error) => failures.push(error),
      look: () => running,
      signal: (pid, signal) => {
        events.push(`${signal} ${pid}`);
        running = running.map((one) => (one.pid === pid ? use(pid, { stopped: signal === 'SIGSTOP' }) : one));
      },
    });
    return freezer;
  };

  it('are frozen and continued through the file of their control group', async () => {
    const freezer = freezerOf((one) => one.take(file));
    await freezer.prepare();
    freezer.freeze();
    assert.equal(readFileSync(file, 'utf8'), '1');
    freezer.thaw();
    assert.equal(readFileSync(file, 'utf8'), '0');
    // Programs that were started meanwhile are moved to the group too.
    await freezer.prepare();
    assert.equal(asked, 2);
    freezer.close();
    assert.deepEqual([events, failures], [[], []]);
  });

  for (const [why, path] of [
    ['without a control group', () => null],
    // Each write to this device fails.
    ['if the control group refuses every change', () => '/dev/full'],
    ['if the file cannot be opened', () => join(file, 'missing')],
  ] as const)
    it(`are stopped and continued by signals ${why}`, async () => {
      const freezer = freezerOf((one) => one.take(path()));
      await freezer.prepare();
      freezer.freeze();
      // The first process of the list is this one, and the last one has ended already.
      assert.deepEqual(events, ['SIGSTOP 11']);
      freezer.thaw();
      freezer.close();
      assert.deepEqual([events, failures], [['SIGSTOP 11', 'SIGCONT 11'], []]);
    });

  it('are stopped by signals if the service does not answer in time', async () => {
    const freezer = freezerOf(() => undefined);
    const preparation = freezer.prepare();
    clock.advance(ANSWER_TIMEOUT_MS);
    await preparation;
    freezer.freeze();
    assert.deepEqual(events, ['SIGSTOP 11']);
  });
});
