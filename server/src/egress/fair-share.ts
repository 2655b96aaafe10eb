/** Share of one session in a {@link FairShare}. */
export interface Portion {
  open: number;
}

/**
 * A limited number of resources, shared by all sessions. A session may use at most as many as are still free.
 * So a single session gets at most half of them, and two sessions a third each. A new session always finds
 * free ones.
 */
export class FairShare {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Takes one resource for the session. Returns false if the session already has its maximum. The caller
   * calls {@link giveBack} later.
   */
  take(session: Portion): boolean {
    if (session.open >= this.#free) return false;
    session.open += 1;
    this.#free -= 1;
    return true;
  }

  giveBack(session: Portion): void {
    session.open -= 1;
    this.#free += 1;
  }
}
