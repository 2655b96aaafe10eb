import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionStateMachine, type SessionState } from '../../../../server/src/host/session-state.js';

const ALL: readonly SessionState[] = ['starting', 'running', 'restarting', 'ending', 'ended'];

/** A session state machine in a given state. */
function lifeIn(state: SessionState): SessionStateMachine {
  const life = new SessionStateMachine();
  const ways: Record<SessionState, SessionState[]> = {
    starting: [],
    running: ['running'],
    restarting: ['running', 'restarting'],
    ending: ['ending'],
    ended: ['ending', 'ended'],
  };
  for (const step of ways[state]) life.move(step);
  return life;
}

describe('the state of a session', () => {
  for (const [from, to] of Object.entries({
    starting: ['running', 'ending'],
    running: ['restarting', 'ending'],
    restarting: ['running', 'ending'],
    ending: ['ended'],
    ended: [],
  }) as [SessionState, SessionState[]][]) {
    it(`goes from ${from} to ${to.join(' or ') || 'nowhere'}`, () => {
      for (const next of ALL) {
        const life = lifeIn(from);
        if (to.includes(next)) life.move(next);
        else assert.throws(() => life.move(next), /cannot go/);
        assert.equal(life.state, to.includes(next) ? next : from);
      }
    });
  }

  it('is final once it ends', () => {
    assert.deepEqual(
      ALL.map((state) => lifeIn(state).isOver),
      [false, false, false, true, true],
    );
  });
});
