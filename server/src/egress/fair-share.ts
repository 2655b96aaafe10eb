/** Number of resources that one session has taken from a {@link FairShare}. */
export interface Portion {
  open: number;
}

/**
 * A limited number of resources, shared by all sessions. A session may use at most as many resources as are
 * still free. So a single session gets at most half of the resources, and two sessions get a third each. Some
 * resources are always free for a new session.
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
