import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  MISSED_LOOKS,
  WATCH_INTERVAL_MS,
  Watchdog,
} from '../../../../server/src/platform/process/watchdog.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const LIMIT_MS = 15_000;

let clock: ManualClock;
let questions: (() => void)[];
let hangs: number[];
let watchdog: Watchdog;
beforeEach(() => {
  clock = new ManualClock();
  questions = [];
  hangs = [];
  watchdog = Watchdog.start({
    clock,
    ask: () => new Promise<void>((resolve) => questions.push(resolve)),
    onHang: (milliseconds) => hangs.push(milliseconds),
  });
});

/** Runs this many checks. With `answer`, each one is answered. */
async function looks(count: number, answer = false): Promise<void> {
  for (let look = 0; look < count; look++) {
    clock.advance(WATCH_INTERVAL_MS);
    if (answer) questions.at(-1)?.();
    await turn();
  }
}

describe('a watchdog', () => {
  it('accepts any process that answers', async () => {
    await looks(100, true);
    assert.deepEqual(hangs, []);
    assert.equal(questions.length, 100);
  });

  it('reports once a process that has not answered for 15 s, and stops checking it', async () => {
    await looks(3, true);
    const since = clock.now();
    while (hangs.length === 0) await looks(1);
    assert.ok(clock.now() - since <= LIMIT_MS, `${clock.now() - since} ms`);
    assert.deepEqual(hangs, [MISSED_LOOKS * WATCH_INTERVAL_MS]);
    await looks(20);
    assert.deepEqual([hangs.length, questions.length, clock.pending], [1, 4, 0]);
  });

  it('tolerates a process that is starved for some seconds, repeatedly', async () => {
    for (let round = 0; round < 20; round++) {
      await looks(5);
      questions.at(-1)?.();
      await turn();
    }
    assert.deepEqual(hangs, []);
  });

  it('ignores missing answers while it was stopped itself', async () => {
    await looks(1);
    for (let pause = 0; pause < 20; pause++) {
      clock.advance(60_000);
      await turn();
    }
    assert.deepEqual(hangs, []);
    questions.at(-1)?.();
    await turn();
    await looks(20, true);
    assert.deepEqual(hangs, []);
  });

  it('counts a refusal as an answer', async () => {
    watchdog.stop();
    Watchdog.start({ clock, ask: () => Promise.reject(new Error('no')), onHang: (ms) => hangs.push(ms) });
    await looks(30);
    assert.deepEqual(hangs, []);
  });

  it('that was stopped reports nothing', async () => {
    await looks(3);
    watchdog.stop();
    await looks(30);
    assert.deepEqual([hangs, clock.pending], [[], 0]);
  });
});
