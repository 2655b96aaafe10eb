/** Number of resources that one session has taken from a {@link FairShare}. */
export interface Portion {
  open: number;
}

/** Part of the resources that is reserved for sessions with few of them. */
const RESERVED_PART = 1 / 8;
/** A session with fewer resources than this part of all may use the reserve. */
const FEW_PART = 1 / 64;
/** Minimum of {@link FEW_PART}. A request needs a connection to the browser and a connection to a host. */
const LEAST_FEW = 2;

/**
 * A limited number of resources, shared by all sessions. A session may use at most as many resources as are
 * still free, without the reserve. So a single session gets almost half of the resources. If two sessions use
 * all they can, each gets more than a quarter in the long run. Only sessions with few resources may use the
 * reserve. So a new session gets some even if earlier sessions keep all that they have. With very few
 * resources or very many sessions, none may be left.
 */
export class FairShare {
  #free: number;
  readonly #reserve: number;
  /** A session with fewer resources than this number may use the reserve. */
  readonly #few: number;

  constructor(count: number) {
    this.#free = count;
    this.#reserve = Math.floor(count * RESERVED_PART);
    this.#few = Math.max(LEAST_FEW, Math.floor(count * FEW_PART));
  }

  /**
   * Takes one resource for the session. Returns false if the session already has its maximum. The caller
   * calls {@link giveBack} later.
   */
  take(session: Portion): boolean {
    const usable = session.open < this.#few ? this.#free : this.#free - this.#reserve;
    if (session.open >= usable) return false;
    session.open += 1;
    this.#free -= 1;
    return true;
  }

  giveBack(session: Portion): void {
    session.open -= 1;
    this.#free += 1;
  }
}
