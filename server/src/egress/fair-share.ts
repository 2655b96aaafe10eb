/** Number of resources that one session has taken from a {@link FairShare}. */
export interface Portion {
  open: number;
}

/**
 * A limited number of resources, shared by all sessions. A session may use at most as many resources as are
 * still free. So a single session gets about half of the resources. If two sessions use all they can, each
 * gets about a third in the long run. Usually some resources are left for a new session. With few resources
 * or very many sessions, none may be left.
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
