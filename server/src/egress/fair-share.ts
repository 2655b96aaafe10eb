/** Number of resources that one session has taken from a {@link FairShare}. */
export interface Portion {
  open: number;
}

/** Part of all resources that is reserved for sessions with few resources. */
const RESERVED_PART = 1 / 8;
/** A session that holds less than this part of all resources may use the reserve. */
const FEW_PART = 1 / 64;
/**
 * Minimum for the number of resources that results from {@link FEW_PART}. It must be at least 2, because a
 * request needs two connections: to the browser and to a host.
 */
const LEAST_FEW = 2;

/**
 * A limited number of resources, shared by all sessions. A session gets another resource only while it holds
 * fewer resources than the number of free ones. The reserve does not count as free. So a single session gets
 * almost half of all resources. If two sessions take as many as they can, each gets more than a quarter in
 * the long run. Only sessions with few resources may use the reserve. So a new session gets resources even if
 * the earlier sessions give none back. With very few resources or very many sessions, the reserve may be used
 * up.
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
