import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assertLegalMove,
  isUnderWay,
  LEGAL_MOVES,
  type ConnectionState,
} from '../../../src/core/connection/connection-states.js';

const STATES = Object.keys(LEGAL_MOVES) as ConnectionState[];

describe('the states of a connection', () => {
  it('allow exactly the transitions of the table', () => {
    for (const from of STATES)
      for (const to of STATES) {
        if (LEGAL_MOVES[from].includes(to)) assert.doesNotThrow(() => assertLegalMove(from, to));
        else assert.throws(() => assertLegalMove(from, to), new RegExp(`from ${from} to ${to}`));
      }
  });

  it('never return to idle or to themselves, and never play directly after an end', () => {
    for (const from of STATES) {
      assert.throws(() => assertLegalMove(from, 'idle'));
      assert.throws(() => assertLegalMove(from, from));
    }
    for (const end of ['idle', 'failed', 'closed'] as const)
      for (const to of ['playing', 'reconnecting'] as const) assert.throws(() => assertLegalMove(end, to));
  });

  it('are all reachable from the first', () => {
    const reached = new Set<ConnectionState>(['idle']);
    for (const state of reached) for (const next of LEGAL_MOVES[state]) reached.add(next);
    assert.deepEqual([...reached].sort(), [...STATES].sort());
  });

  it('can all be left, and can close while a connection is under way', () => {
    for (const state of STATES) {
      assert.ok(LEGAL_MOVES[state].length > 0);
      assert.equal(LEGAL_MOVES[state].includes('closed'), isUnderWay(state));
    }
  });
});
