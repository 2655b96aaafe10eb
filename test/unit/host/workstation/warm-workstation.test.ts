import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { HostSession } from '../../../../server/src/host-protocol.js';
import type { PartEnd } from '../../../../server/src/host/workstation/part-end.js';
import {
  BECOME_TIMEOUT_MS,
  WarmWorkstation,
} from '../../../../server/src/host/workstation/warm-workstation.js';
import type { WorkstationListener } from '../../../../server/src/host/workstation/start-workstation.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const SESSION = {} as HostSession;
const END: PartEnd = { name: 'Chromium', pid: 1, code: null, signal: 'SIGKILL', logTail: '', asked: false };

class FakeWorkstation {
  end: () => void = () => undefined;
  became: (() => void) | undefined;
  refused: ((error: Error) => void) | undefined;
  stops = 0;
  readonly partEnded = new Promise<PartEnd>((resolve) => (this.end = () => resolve(END)));

  become(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.became = resolve;
      this.refused = reject;
    });
  }

  stop(): Promise<void> {
    this.stops++;
    return Promise.resolve();
  }
}

let time: PassingTime;
let workstation: FakeWorkstation;
/** Reports to the service; undefined: the browser is ready. */
let told: (string | undefined)[];
/** Events that the session received. */
let heard: string[];
let inner: WorkstationListener | undefined;
beforeEach(() => {
  time = new PassingTime();
  workstation = new FakeWorkstation();
  told = [];
  heard = [];
});
afterEach(() => time.restore());

const listener = { onPageCrashed: () => heard.push('crashed') } as unknown as WorkstationListener;

function warm(starting: Promise<FakeWorkstation> = Promise.resolve(workstation)) {
  return new WarmWorkstation<FakeWorkstation>(
    (told) => {
      inner = told;
      return starting;
    },
    (problem) => told.push(problem),
  );
}

describe('a warm browser environment', () => {
  it('becomes the environment of one session, which receives its events from then on', async () => {
    const browser = warm();
    await settle();
    assert.deepEqual(told, [undefined]);
    const becoming = browser.become(SESSION, listener);
    await settle();
    workstation.became?.();
    assert.equal(await becoming, workstation);
    inner?.onPageCrashed();
    assert.deepEqual(heard, ['crashed']);
    assert.equal(await browser.become(SESSION, listener), undefined, 'only once');
    await browser.stop();
    assert.equal(workstation.stops, 0, 'it is the session’s now');
    workstation.end();
    await settle();
    assert.deepEqual(told, [undefined]);
  });

  it('is waited for while it still starts', async () => {
    let start: (started: FakeWorkstation) => void = () => undefined;
    const browser = warm(new Promise((resolve) => (start = resolve)));
    const becoming = browser.become(SESSION, listener);
    await time.pass(10 * BECOME_TIMEOUT_MS);
    start(workstation);
    await settle();
    workstation.became?.();
    assert.equal(await becoming, workstation);
  });

  it('is stopped and not used if it is not ready in time', async () => {
    const browser = warm();
    await settle();
    const becoming = browser.become(SESSION, listener);
    await settle();
    await time.pass(BECOME_TIMEOUT_MS);
    assert.equal(await becoming, undefined);
    assert.equal(workstation.stops, 1);
  });

  it('is also stopped if it ends or refuses meanwhile', async () => {
    for (const happens of ['ends', 'refuses']) {
      workstation = new FakeWorkstation();
      const browser = warm();
      await settle();
      const becoming = browser.become(SESSION, listener);
      await settle();
      if (happens === 'ends') workstation.end();
      else workstation.refused?.(new Error('no such mode'));
      assert.equal(await becoming, undefined);
      assert.equal(workstation.stops, 1);
    }
  });

  it('is reported and not used if it cannot start, ends, or its page crashes', async () => {
    const failed = warm(Promise.reject(new Error('no display')));
    await settle();
    assert.deepEqual(told, ['no display']);
    assert.equal(await failed.become(SESSION, listener), undefined);

    const ended = warm();
    await settle();
    workstation.end();
    await settle();
    assert.deepEqual(told.slice(1), [undefined, 'Chromium has ended.']);
    assert.equal(await ended.become(SESSION, listener), undefined);
    assert.equal(workstation.stops, 1);

    workstation = new FakeWorkstation();
    const crashed = warm();
    await settle();
    inner?.onPageCrashed();
    assert.equal(told.at(-1), 'Its page has crashed.');
    assert.equal(await crashed.become(SESSION, listener), undefined);
    assert.deepEqual(heard, []);
  });

  it('is stopped with its host', async () => {
    const browser = warm();
    await browser.stop();
    assert.equal(workstation.stops, 1);
    assert.equal(await browser.become(SESSION, listener), undefined);
  });
});
