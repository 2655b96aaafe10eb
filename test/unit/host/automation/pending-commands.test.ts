import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { TIME_OF_LARGE_ANSWERS } from '../../../../server/src/host/features/automation/commands/large-answers.js';
import { TimeBudget } from '../../../../server/src/platform/rates/time-budget.js';
import { PendingCommands } from '../../../../server/src/host/features/automation/commands/pending-commands.js';

let now: number;
let pending: PendingCommands;
let id: number;
beforeEach(() => {
  [now, id] = [1_000, 0];
  pending = newPending();
  // Small answers, after which the session A may have eight scripts at a time.
  for (let count = 0; count < 4; count++) pending.take(send('Runtime.evaluate'), 10);
});

function newPending(all = new TimeBudget(TIME_OF_LARGE_ANSWERS.all, () => now)): PendingCommands {
  return new PendingCommands(all, () => now);
}

/** Returns the number of scripts for which a session has room, and takes them. */
function roomOf(sessionId: string): number {
  const sent: number[] = [];
  while (pending.hasRoom('Runtime.evaluate', sessionId)) sent.push(send('Runtime.evaluate', sessionId));
  for (const id of sent) pending.take(id);
  return sent.length;
}

/** Sends a command to a session. Returns its id. */
function send(method: string, sessionId = 'A', size = 10): number {
  const command = { id: 1, method, params: {}, sessionId };
  pending.add(++id, { command, sessionId, size, settle: () => undefined });
  return id;
}

describe('the commands of a program that wait for the browser', () => {
  it('have room for eight scripts of a session, and for the next one after an answer', () => {
    const [first = 0] = Array.from({ length: 8 }, () => send('Runtime.evaluate'));
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), false);
    assert.equal(pending.hasRoom('Runtime.evaluate', 'B'), true, 'another session has room');
    pending.take(first, 10);
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), true);
  });

  it('have room for four scripts of a new session', () => {
    assert.deepEqual([roomOf('new'), roomOf('A')], [4, 8]);
  });

  it('always have room for commands with small answers, which let a page run', () => {
    for (let count = 0; count < 20; count++) send('Runtime.evaluate');
    assert.equal(pending.hasRoom('Runtime.runIfWaitingForDebugger', 'A'), true);
    assert.equal(pending.hasRoom('Fetch.continueRequest', 'A'), true);
    for (let count = 0; count < 100; count++) send('Page.enable', 'B');
    assert.equal(pending.hasRoom('Runtime.evaluate', 'B'), true);
  });

  it('accept small commands while one of any size waits, for example for a dialog that they close', () => {
    const upload = send('Runtime.callFunctionOn', 'A', 67e6);
    assert.deepEqual([pending.accepts(64_000), pending.accepts(64_001)], [true, false]);
    for (let count = 0; count < 17; count++) send('Page.enable', 'A', 60_000);
    assert.equal(pending.accepts(10), false, 'the small ones have their own limit');
    pending.take(upload, 10);
    assert.deepEqual([pending.accepts(10), pending.accepts(67e6)], [true, true]);
  });

  it('accept one large answer to a request at a time, for which a large command may wait', () => {
    const script = send('Runtime.evaluate', 'A', 67e6);
    const accepts = () => pending.accepts(1e6, 'Fetch.fulfillRequest');
    assert.deepEqual([pending.accepts(1e6, 'Runtime.evaluate'), accepts()], [false, true]);
    const answer = send('Fetch.fulfillRequest', 'A', 1e6);
    assert.equal(accepts(), false);
    pending.take(answer, 10);
    assert.equal(accepts(), true);
    pending.take(script, 10);
    assert.equal(pending.accepts(1e6, 'Runtime.evaluate'), true);
  });

  it('have room again after a moment if scripts wait in their page', () => {
    for (let count = 0; count < 8; count++) send('Runtime.evaluate');
    now += 999;
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), false);
    now += 1;
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), true);
  });

  it('have room again after the answer to a later script, because the earlier ones wait in their page', () => {
    const sent = Array.from({ length: 8 }, () => send('Runtime.evaluate'));
    pending.take(sent[7] ?? 0, 10);
    for (let count = 0; count < 8; count++) {
      assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), true);
      send('Runtime.evaluate');
    }
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), false);
    assert.equal(pending.count, 15);
  });

  it('have room for one after a large answer, and for more after small ones', () => {
    const [first = 0] = Array.from({ length: 8 }, () => send('Runtime.evaluate'));
    for (let answer = 0; answer < 8; answer++) pending.take(first + answer, 1_000_000);
    now += 10_000;
    const large = send('Runtime.evaluate');
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), false);
    pending.take(large, 100);
    assert.deepEqual([roomOf('A'), roomOf('B')], [2, 4]);
    for (let count = 0; count < 10; count++) pending.take(send('Runtime.evaluate'), 100);
    assert.equal(roomOf('A'), 8);
  });

  it('have no room while large answers have used their share of the time', () => {
    const began = now;
    let answers = 0;
    for (; now < began + 10_000; now += 1) {
      if (!pending.hasRoom('Runtime.evaluate', 'A')) continue;
      const large = send('Runtime.evaluate');
      now += 20;
      pending.take(large, 1_000_000);
      answers += 1;
    }
    assert.ok(answers > 90 && answers < 115, `${answers} answers of 20 ms in 10 s`);
    assert.equal(pending.hasRoom('Page.enable', 'A'), true);
  });

  it('share the time for large answers with other programs, which keep a part', () => {
    const all = new TimeBudget(TIME_OF_LARGE_ANSWERS.all, () => now);
    const [greedy, modest] = [newPending(all), newPending(all)];
    const answer = (of: PendingCommands) => {
      pending = of;
      const large = send('Runtime.evaluate');
      now += 20;
      of.take(large, 1_000_000);
    };
    while (greedy.hasRoom('Runtime.evaluate', 'A')) answer(greedy);
    assert.equal(modest.hasRoom('Runtime.evaluate', 'A'), true);
    const others = Array.from({ length: 5 }, () => newPending(all));
    for (const other of others) while (other.hasRoom('Runtime.evaluate', 'A')) answer(other);
    assert.equal(modest.hasRoom('Runtime.evaluate', 'A'), false);
    now += 5_000;
    assert.equal(modest.hasRoom('Runtime.evaluate', 'A'), true);
  });

  it('wait for a moment only, after a script that waited in its page and has a large answer', () => {
    const script = send('Runtime.evaluate');
    now += 60_000;
    pending.take(script, 1_000_000);
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), false);
    now += 700;
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), true);
  });

  it('have a limit for all sessions together', () => {
    for (let session = 0; session < 8; session++)
      for (let count = 0; count < 8; count++) send('Runtime.evaluate', `S${session}`);
    assert.equal(pending.hasRoom('Runtime.evaluate', 'other'), false);
    pending.drop('S0');
    assert.equal(pending.hasRoom('Runtime.evaluate', 'other'), true);
  });
});
