import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import { LONGEST_PAUSE_MS, PACE_MS, Watch } from '../../../demo/operator/watch.js';
import { ManualClock } from '../../fakes/manual-clock.js';

let clock: ManualClock;
let questions: { answer: (answer: string) => void; fail: () => void }[];
let heard: string[];
let watch: Watch<string>;
beforeEach(() => {
  clock = new ManualClock();
  questions = [];
  heard = [];
  watch = new Watch({
    ask: () =>
      new Promise((answer, reject) => questions.push({ answer, fail: () => reject(new Error('no answer')) })),
    clock,
    onAnswer: (answer) => heard.push(answer),
    onFailure: (_error, pause) => heard.push(`failed, again in ${pause}`),
  });
});

async function answered(answer = 'yes'): Promise<void> {
  questions.at(-1)?.answer(answer);
  await settled();
}

async function failed(): Promise<void> {
  questions.at(-1)?.fail();
  await settled();
}

describe('the polling of nodes', () => {
  it('starts at once, and repeats some seconds after each response', async () => {
    watch.start();
    assert.equal(questions.length, 1);
    await answered();
    clock.advance(PACE_MS - 1);
    assert.equal(questions.length, 1);
    clock.advance(1);
    assert.equal(questions.length, 2);
    assert.deepEqual(heard, ['yes']);
  });

  it('has another pace if given', async () => {
    watch = new Watch({
      ask: () => Promise.reject(new Error('no answer')),
      clock,
      pace: 10_000,
      onAnswer: () => undefined,
      onFailure: (_error, pause) => heard.push(`again in ${pause}`),
    });
    watch.start();
    await settled();
    clock.advance(9_999);
    await settled();
    assert.deepEqual(heard, ['again in 10000']);
    clock.advance(1);
    await settled();
    assert.deepEqual(heard, ['again in 10000', 'again in 20000']);
  });

  it('sends nothing while a request is pending', () => {
    watch.start();
    clock.advance(60_000);
    watch.askNow();
    assert.equal(questions.length, 1);
  });

  it('slows down while the service does not answer, and recovers afterwards', async () => {
    watch.start();
    for (let times = 0; times < 6; times++) {
      await failed();
      clock.advance(LONGEST_PAUSE_MS);
    }
    const pauses = [3_000, 6_000, 12_000, 24_000, 30_000, 30_000];
    assert.deepEqual(
      heard,
      pauses.map((pause) => `failed, again in ${pause}`),
    );
    await answered();
    clock.advance(PACE_MS);
    await failed();
    assert.equal(heard.at(-1), `failed, again in ${PACE_MS}`);
  });

  it('runs early on request', async () => {
    watch.start();
    await failed();
    watch.askNow();
    assert.equal(questions.length, 2);
    assert.equal(clock.pending, 0);
  });

  it('pauses while the page is hidden, and runs at once when it is visible again', async () => {
    watch.start();
    watch.pause();
    await answered();
    assert.deepEqual(heard, ['yes']);
    clock.advance(60_000);
    assert.equal(questions.length, 1);
    watch.resume();
    assert.equal(questions.length, 2);
  });

  it('starts when the page becomes visible, if it was started before', () => {
    watch.pause();
    watch.start();
    assert.equal(questions.length, 0);
    watch.resume();
    assert.equal(questions.length, 1);
  });

  it('ignores responses after a stop, and all except the newest after a restart', async () => {
    watch.start();
    const [first] = questions;
    watch.stop();
    watch.start();
    first?.answer('old');
    await answered('new');
    assert.deepEqual(heard, ['new']);
    watch.stop();
    clock.advance(60_000);
    assert.equal(questions.length, 2);
    assert.equal(clock.pending, 0);
  });

  it('can be stopped by a listener', async () => {
    watch = new Watch({
      ask: () => Promise.reject(new Error('refused')),
      clock,
      onAnswer: () => undefined,
      onFailure: () => watch.stop(),
    });
    watch.start();
    await settled();
    assert.equal(clock.pending, 0);
  });
});
