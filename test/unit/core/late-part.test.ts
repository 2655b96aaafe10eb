import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { LatePart } from '../../../src/core/late-part.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('code that is loaded after the first picture', () => {
  let timers: ManualTimers;
  let answers: { resolve: (part: string) => void; reject: (error: Error) => void }[];
  let loaded: string[];
  let failures: Error[];
  let part: LatePart<string>;
  let settled: boolean;

  beforeEach(async () => {
    timers = new ManualTimers();
    [answers, loaded, failures, settled] = [[], [], [], false];
    part = new LatePart(
      {
        load: () => new Promise((resolve, reject) => answers.push({ resolve, reject })),
        onLoaded: (name) => loaded.push(name),
        onFailure: (error) => failures.push(error),
      },
      timers,
    );
    void part.settled.then(() => (settled = true));
    await turn();
  });

  it('is requested at once, and used when it arrives', async () => {
    assert.equal(answers.length, 1);
    assert.equal(settled, false);
    answers[0]?.resolve('controls');
    await turn();
    assert.deepEqual([loaded, failures, settled], [['controls'], [], true]);
  });

  it('is not reported as a failure if the second attempt succeeds', async () => {
    answers[0]?.reject(new TypeError('blocked'));
    await turn();
    timers.advance(500);
    answers[1]?.resolve('controls');
    await turn();
    assert.deepEqual([loaded, failures], [['controls'], []]);
  });

  it('is requested again with growing delays after failures, with one report', async () => {
    const waits = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
    for (const wait of waits) {
      answers.at(-1)?.reject(new TypeError('blocked'));
      await turn();
      assert.equal(settled, true);
      const before = answers.length;
      timers.advance(wait - 1);
      assert.equal(answers.length, before);
      timers.advance(1);
      assert.equal(answers.length, before + 1);
    }
    assert.equal(failures.length, 1);
    assert.match(failures[0]?.message ?? '', /could not be loaded/);
    answers.at(-1)?.resolve('controls');
    await turn();
    assert.deepEqual(loaded, ['controls']);
  });

  it('does not block when no answer arrives, and is used when it arrives later', async () => {
    timers.advance(5_000);
    await turn();
    assert.deepEqual([settled, loaded], [true, []]);
    answers[0]?.resolve('controls');
    await turn();
    assert.deepEqual(loaded, ['controls']);
  });

  it('is reported once when no answer arrives for 15 s, and is still used when it arrives later', async () => {
    timers.advance(14_999);
    assert.equal(failures.length, 0);
    timers.advance(1);
    assert.match(failures[0]?.message ?? '', /could not be loaded/);
    answers[0]?.reject(new TypeError('timeout'));
    await turn();
    timers.advance(500);
    timers.advance(15_000);
    answers[1]?.resolve('controls');
    await turn();
    assert.deepEqual([answers.length, failures.length, loaded], [2, 1, ['controls']]);
  });

  it('is reported when the attempt after a failure gets no answer', async () => {
    answers[0]?.reject(new TypeError('blocked'));
    await turn();
    timers.advance(500 + 15_000);
    assert.deepEqual([answers.length, failures.length], [2, 1]);
  });

  it('is not reported after it was loaded or closed', async () => {
    answers[0]?.resolve('controls');
    await turn();
    assert.equal(timers.pending, 0);
    part.close();
    const other = new LatePart<string>(
      {
        load: () => new Promise(() => undefined),
        onLoaded: (name) => loaded.push(name),
        onFailure: (error) => failures.push(error),
      },
      timers,
    );
    other.close();
    timers.advance(60_000);
    assert.deepEqual([timers.pending, failures], [0, []]);
  });

  it('is not requested after it was closed', async () => {
    part.close();
    await turn();
    assert.equal(settled, true);
    answers[0]?.reject(new TypeError('blocked'));
    await turn();
    timers.advance(60_000);
    assert.deepEqual([answers.length, failures, loaded], [1, [], []]);
  });

  it('is not used when it arrives after that', async () => {
    part.close();
    answers[0]?.resolve('controls');
    await turn();
    assert.deepEqual(loaded, []);
  });
});
