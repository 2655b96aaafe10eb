import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { HostPlace } from '../../../../server/src/host-protocol.js';
import type { StartOrder } from '../../../../server/src/host/enforce-limits.js';
import { SessionStateMachine } from '../../../../server/src/host/session-state.js';
import {
  PAGE_END_MS,
  START_WAIT_MS,
  SessionWorkstation,
} from '../../../../server/src/host/session-workstation.js';
import type { EarlyParts } from '../../../../server/src/host/workstation/early-parts.js';
import type { PartEnd } from '../../../../server/src/host/workstation/part-end.js';
import type { WorkstationListener } from '../../../../server/src/host/workstation/start-workstation.js';
import type { WarmWorkstation } from '../../../../server/src/host/workstation/warm-workstation.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { settle } from '../../../fakes/passing-time.js';

const END: PartEnd = { name: 'Chromium', pid: 1, code: null, signal: 'SIGKILL', logTail: '', asked: false };

/** The first workstation of the session. It starts and stops on command. */
class FakeWorkstation {
  finishStart: () => void = () => undefined;
  failStart: (error: Error) => void = () => undefined;
  readonly started = new Promise<this>((resolve, reject) => {
    this.finishStart = () => resolve(this);
    this.failStart = reject;
  });
  end: () => void = () => undefined;
  finishStop: () => void = () => undefined;
  stopping = false;
  readonly partEnded = new Promise<PartEnd>((resolve) => (this.end = () => resolve(END)));
  readonly #stopped = new Promise<void>((resolve) => (this.finishStop = resolve));

  stop(): Promise<void> {
    this.stopping = true;
    return this.#stopped;
  }
}

let life: SessionStateMachine;
let first: FakeWorkstation;
/** Number of displays that were taken for further workstations. */
let displays: number;
let failures: string[];
/** Kinds of the notices that viewers received. */
let notices: string[];
/** Receives the reports of the first workstation. */
let reports: WorkstationListener | undefined;
let clock: ManualClock;
let workstation: SessionWorkstation;
beforeEach(() => {
  clock = new ManualClock();
  life = new SessionStateMachine();
  first = new FakeWorkstation();
  [displays, failures, notices] = [0, [], []];
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'admin-token');
  const take = () => {
    displays += 1;
    return Promise.reject(new Error('There is no display.'));
  };
  workstation = new SessionWorkstation(
    { session, limits: {} } as StartOrder,
    {} as HostPlace,
    { displays: { take } } as unknown as EarlyParts,
    {
      life,
      warn: () => undefined,
      notify: ({ kind }) => notices.push(kind),
      onRunning: () => undefined,
      onReplaced: () => undefined,
      onPartEnded: () => undefined,
      giveUp: () => undefined,
      fail: (sentence) => failures.push(sentence),
    },
    {
      become: (_: unknown, listener: WorkstationListener) => {
        reports = listener;
        return first.started;
      },
    } as unknown as WarmWorkstation,
    clock,
  );
});

/** Starts the first workstation, and ends its browser. */
async function crash(): Promise<void> {
  first.finishStart();
  const started = await workstation.start();
  assert.ok(started);
  workstation.run(started);
  first.end();
  await settle();
  assert.deepEqual([life.state, first.stopping, displays], ['restarting', true, 0]);
}

describe('a session whose browser crashed', () => {
  it('starts another workstation when the parts of the first have stopped', async () => {
    await crash();
    first.finishStop();
    await settle();
    assert.deepEqual([displays, failures], [1, ['The browser could not be started again.']]);
  });

  it('starts no other workstation if the session ends while the parts stop', async () => {
    await crash();
    life.move('ending');
    first.finishStop();
    await settle();
    assert.deepEqual([displays, failures], [0, []]);
  });
});

describe('a session whose limits end a page', () => {
  it('notifies viewers of the reason, and of no crash of the same process', async () => {
    first.finishStart();
    await workstation.start();
    workstation.pageEnded();
    clock.advance(PAGE_END_MS - 1);
    // One report for each page and frame of the process.
    reports?.onPageCrashed();
    reports?.onPageCrashed();
    assert.deepEqual(notices, ['page-ended']);
    clock.advance(1);
    reports?.onPageCrashed();
    assert.deepEqual(notices, ['page-ended', 'page-crashed']);
  });
});

describe('a session that ends while its workstation starts', () => {
  /** Ends the session during the start. The list gets an entry when each of both has finished. */
  async function end(): Promise<string[]> {
    const finished: string[] = [];
    const starting = workstation.start();
    starting.then(
      (started) => finished.push(started ? 'started' : 'not started'),
      () => finished.push('failed'),
    );
    await settle();
    life.move('ending');
    void workstation.stop().then(() => finished.push('stopped'));
    await settle();
    assert.deepEqual(finished, []);
    return finished;
  }

  it('waits for the start, and for the end of the started parts', async () => {
    const finished = await end();
    first.finishStart();
    await settle();
    assert.deepEqual([finished, first.stopping, clock.pending], [[], true, 0]);
    first.finishStop();
    await settle();
    assert.deepEqual(finished.sort(), ['not started', 'stopped']);
  });

  it('waits until the start has failed', async () => {
    const finished = await end();
    first.failStart(new Error('no browser'));
    await settle();
    assert.deepEqual(finished.sort(), ['failed', 'stopped']);
  });

  it('waits for the start only for a limited time', async () => {
    const finished = await end();
    clock.advance(START_WAIT_MS);
    await settle();
    assert.deepEqual(finished, ['stopped']);
  });
});
