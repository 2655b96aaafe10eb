/** What one session has of a {@link FairShare}. */
export interface Portion {
  open: number;
}

/**
 * So many things of one kind, shared by all sessions. A session may have no more of them than are left free: alone half, beside another
 * one a third, and whoever comes finds some.
 */
export class FairShare {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Whether the session may have one more, which it then has; {@link giveBack} is to follow. */
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
