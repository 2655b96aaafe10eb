import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { PendingCommands } from '../../../../server/src/host/features/automation/commands/pending-commands.js';

let now: number;
let pending: PendingCommands;
let id: number;
beforeEach(() => {
  [now, id] = [1_000, 0];
  pending = new PendingCommands(() => now);
});

/** Sends a command to a session. Returns its id. */
function send(method: string, sessionId = 'A'): number {
  const command = { id: 1, method, params: {}, sessionId };
  pending.add(++id, { command, sessionId, size: 10, settle: () => undefined });
  return id;
}

describe('the commands of a program that wait for the browser', () => {
  it('have room for eight scripts of a session, and for the next one after an answer', () => {
    const [first = 0] = Array.from({ length: 8 }, () => send('Runtime.evaluate'));
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), false);
    assert.equal(pending.hasRoom('Runtime.evaluate', 'B'), true, 'another session has room');
    pending.take(first);
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), true);
  });

  it('always have room for commands with small answers, which let a page run', () => {
    for (let count = 0; count < 20; count++) send('Runtime.evaluate');
    assert.equal(pending.hasRoom('Runtime.runIfWaitingForDebugger', 'A'), true);
    assert.equal(pending.hasRoom('Fetch.continueRequest', 'A'), true);
    for (let count = 0; count < 100; count++) send('Page.enable', 'B');
    assert.equal(pending.hasRoom('Runtime.evaluate', 'B'), true);
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
    pending.take(sent[7] ?? 0);
    for (let count = 0; count < 8; count++) {
      assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), true);
      send('Runtime.evaluate');
    }
    assert.equal(pending.hasRoom('Runtime.evaluate', 'A'), false);
    assert.equal(pending.count, 15);
  });

  it('have a limit for all sessions together', () => {
    for (let session = 0; session < 8; session++)
      for (let count = 0; count < 8; count++) send('Runtime.evaluate', `S${session}`);
    assert.equal(pending.hasRoom('Runtime.evaluate', 'other'), false);
    pending.drop('S0');
    assert.equal(pending.hasRoom('Runtime.evaluate', 'other'), true);
  });
});
