/** Where a session stands in its host. */
export type SessionState = 'starting' | 'running' | 'restarting' | 'ending' | 'ended';

const LEGAL_MOVES: Readonly<Record<SessionState, readonly SessionState[]>> = {
  starting: ['running', 'ending'],
  running: ['restarting', 'ending'],
  restarting: ['running', 'ending'],
  ending: ['ended'],
  ended: [],
};

/** The life of one session: all that asks what the host may still do for it asks here. */
export class SessionLife {
  #state: SessionState = 'starting';

  get state(): SessionState {
    return this.#state;
  }

  /** It ends, or has ended: nothing is started for it any more. */
  get isOver(): boolean {
    return this.#state === 'ending' || this.#state === 'ended';
  }

  /** Takes a step. Throws when none leads there: that is a mistake of the host. */
  move(to: SessionState): void {
    if (!LEGAL_MOVES[this.#state].includes(to))
      throw new Error(`A session cannot go from ${this.#state} to ${to}.`);
    this.#state = to;
  }
}
