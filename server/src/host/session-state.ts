/** State of a session in its host. */
export type SessionState = 'starting' | 'running' | 'restarting' | 'ending' | 'ended';

const LEGAL_MOVES: Readonly<Record<SessionState, readonly SessionState[]>> = {
  starting: ['running', 'ending'],
  running: ['restarting', 'ending'],
  restarting: ['running', 'ending'],
  ending: ['ended'],
  ended: [],
};

/** The state machine of one session. */
export class SessionStateMachine {
  #state: SessionState = 'starting';

  get state(): SessionState {
    return this.#state;
  }

  /** True if the session is ending or has ended. The host starts no more programs for it. */
  get isOver(): boolean {
    return this.#state === 'ending' || this.#state === 'ended';
  }

  /** Changes the state. Throws if the transition is not legal, which is a bug of the host. */
  move(to: SessionState): void {
    if (!LEGAL_MOVES[this.#state].includes(to))
      throw new Error(`A session cannot go from ${this.#state} to ${to}.`);
    this.#state = to;
  }
}
