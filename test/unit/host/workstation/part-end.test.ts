import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { firstEnd, type PartEnd } from '../../../../server/src/host/workstation/part-end.js';
import type { ProcessExit } from '../../../../server/src/platform/process/child-process.js';
import { PassingTime } from '../../../fakes/passing-time.js';

/** A process that ends on command. */
class Part {
  end: (exit: Pick<ProcessExit, 'code' | 'signal'>) => void = () => undefined;
  readonly exited: Promise<ProcessExit>;

  constructor(readonly name: string) {
    this.exited = new Promise((resolve) => {
      this.end = (exit) => resolve({ name, pid: 1, logTail: '', ...exit });
    });
  }
}

let time: PassingTime;
let [display, windowManager, browser] = [new Part(''), new Part(''), new Part('')];
let ends: PartEnd[];
beforeEach(() => {
  time = new PassingTime();
  [display, windowManager, browser] = [new Part('Xorg'), new Part('openbox'), new Part('Chromium')];
  ends = [];
  void firstEnd(display, windowManager, browser).then((end) => ends.push(end));
});
afterEach(() => time.restore());

const CODE_0 = { code: 0, signal: null };
const KILLED = { code: null, signal: 'SIGKILL' } as const;

describe('the end of a session process', () => {
  it('with code 0 of the browser was requested by a user', async () => {
    browser.end(CODE_0);
    await time.pass(300);
    assert.deepEqual([ends[0]?.name, ends[0]?.code, ends[0]?.asked], ['Chromium', 0, true]);
  });

  it('is a display crash when the display ends shortly after the browser', async () => {
    browser.end(CODE_0);
    await time.pass(200);
    assert.equal(ends.length, 0);
    display.end(KILLED);
    await time.pass(50);
    assert.deepEqual([ends[0]?.name, ends[0]?.signal, ends[0]?.asked], ['Xorg', 'SIGKILL', false]);
  });

  it('is a browser crash at once with any other code or a signal', async () => {
    browser.end({ code: 137, signal: null });
    await time.pass(0);
    assert.deepEqual([ends[0]?.name, ends[0]?.code, ends[0]?.asked], ['Chromium', 137, false]);
  });

  it('is a window manager crash when only that ends, with any code', async () => {
    windowManager.end(CODE_0);
    await time.pass(300);
    assert.deepEqual([ends[0]?.name, ends[0]?.asked], ['openbox', false]);
  });
});
