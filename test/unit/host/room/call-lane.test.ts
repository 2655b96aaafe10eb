import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { forAll } from '../../../../server/src/host/room/calls/access.js';
import {
  CallLane,
  MAX_OPEN_CALLS,
  MAX_WAITING_CALLS,
  PROCESS,
  QUESTION,
  WAIT,
  type CallCost,
} from '../../../../server/src/host/room/calls/call-lane.js';
import { CallError } from '../../../../server/src/host/room/calls/call-error.js';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

let clock: ManualClock;
let lane: CallLane;
let begun: number;
beforeEach(() => {
  clock = new ManualClock();
  lane = new CallLane(clock);
  begun = 0;
});

async function ask(cost: CallCost, times: number): Promise<void> {
  for (let count = 0; count < times; count++)
    void Promise.resolve(lane.turn(cost)).then((may) => (begun += may ? 1 : 0));
  await turn();
}

async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 20; step++) {
    clock.advance(50);
    await turn();
  }
}

describe('the calls of one client', () => {
  it('run at once when a program queries tabs fifty times a second', async () => {
    for (let step = 0; step < 50; step++) {
      await ask(QUESTION, 5);
      assert.equal(begun, 5 * (step + 1));
      await pass(0.1);
    }
  });

  it('run later in their order when they are too many, and new tabs much later', async () => {
    await ask(PROCESS, 10);
    assert.equal(begun, 6);
    await ask(QUESTION, 1);
    await pass(1);
    assert.equal(begun, 7);
    await pass(3);
    assert.equal(begun, 11);
    assert.equal(clock.pending, 0);
  });

  it('never run after their client has left', async () => {
    await ask(PROCESS, 20);
    lane.close();
    await pass(10);
    assert.equal(begun, 6);
    assert.equal(clock.pending, 0);
  });

  it('are refused when too many are pending, also those of backends', async () => {
    const entered = Array.from({ length: 40 }, () => lane.enter(QUESTION)).filter(Boolean);
    assert.equal(entered.length, MAX_OPEN_CALLS);
    assert.equal(lane.enter({ work: 1, merges: true }), true);
    lane.leave({ work: 1, merges: true });
    assert.equal(lane.enter(QUESTION), false);
    lane.leave(QUESTION);
    assert.equal(lane.enter(QUESTION), true);

    const calls = new Calls(() => false);
    calls.add('tabs.query', { access: forAll, check: (args) => args }, () => new Promise(() => undefined));
    const refused: unknown[] = [];
    for (let count = 0; count < 40; count++)
      calls.ofBackend('tabs.query', []).catch((error: unknown) => refused.push(error));
    await turn();
    assert.equal(refused.length, 8);
    await assert.rejects(calls.ofBackend('tabs.query', []), {
      code: 'err_too_many_calls',
      message: 'At most 32 calls of one caller can be in progress. Wait for some answers first.',
    });

    // Programs have a lane of their own, so that they do not keep a backend from removing them.
    for (let count = 0; count < 40; count++)
      calls.ofBackend('tabs.query', [], {}).catch((error: unknown) => refused.push(error));
    await turn();
    assert.equal(refused.length, 16);
  });
});

describe('calls that only wait for an event', () => {
  it('are refused when too many of them wait for their turn', async () => {
    // The rate allows 200 calls at once.
    for (let count = 0; count < 200 + MAX_WAITING_CALLS; count++) {
      assert.equal(lane.enter(WAIT), true);
      await ask(WAIT, 1);
    }
    assert.equal(lane.enter(WAIT), false);
    await pass(1);
    assert.equal(lane.enter(WAIT), true);
  });

  it('are refused with a message that names their limit', async () => {
    const time = new PassingTime();
    try {
      const calls = new Calls(() => false);
      const rules = { access: forAll, check: (args: readonly unknown[]) => args, cost: WAIT };
      calls.add('tabs.query', rules, () => undefined as never);
      const answered = Array.from({ length: 200 + MAX_WAITING_CALLS }, () =>
        calls.ofBackend('tabs.query', []),
      );
      await assert.rejects(calls.ofBackend('tabs.query', []), {
        code: 'err_too_many_calls',
        message: 'At most 200 calls of one caller can wait for their turn. Wait for some answers first.',
      });
      const outcomes = Promise.all(answered);
      await time.pass(3_000);
      await outcomes;
    } finally {
      time.restore();
    }
  });
});

describe('a call of a program that waits', () => {
  it('is refused when an admin removes the program meanwhile', async () => {
    const time = new PassingTime();
    try {
      const calls = new Calls(() => false);
      let performed = 0;
      const rules = { access: forAll, check: (args: readonly unknown[]) => args, cost: PROCESS };
      calls.add('tabs.remove', rules, () => {
        performed += 1;
      });
      // The rate allows six of these calls at once, so the last one waits.
      const answered = [1, 2, 3, 4, 5, 6, 7].map(() => calls.ofBackend('tabs.remove', [], {}));
      const outcomes = Promise.allSettled(answered);
      await settle();
      calls.checkProgram = () => {
        throw new CallError('err_agent_kicked', 'An admin removed this program.');
      };
      await time.pass(2_000);
      assert.deepEqual(
        (await outcomes).map(({ status }) => status),
        [...Array.from({ length: 6 }, () => 'fulfilled'), 'rejected'],
      );
      assert.equal(performed, 6);
    } finally {
      time.restore();
    }
  });

  it('is refused if its client leaves meanwhile', async () => {
    const time = new PassingTime();
    try {
      const calls = new Calls(() => false);
      let performed = 0;
      const rules = { access: forAll, check: (args: readonly unknown[]) => args, cost: PROCESS };
      calls.add('tabs.remove', rules, () => {
        performed += 1;
      });
      const client = new AbortController();
      // The rate allows six of these calls at once, so the last one waits.
      const answered = [1, 2, 3, 4, 5, 6, 7].map(() => calls.ofBackend('tabs.remove', [], {}, client.signal));
      const outcomes = Promise.allSettled(answered);
      await settle();
      client.abort();
      await time.pass(2_000);
      assert.equal((await outcomes).at(-1)?.status, 'rejected');
      assert.equal(performed, 6);
    } finally {
      time.restore();
    }
  });
});
