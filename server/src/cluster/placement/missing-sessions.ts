import type { Clock } from '../../platform/time/clock.js';

/**
 * Time for which a requested session may not have arrived yet. The node that placed it sends the start order
 * immediately.
 */
const ON_ITS_WAY_MS = 1_500;
/** Time without a request after which a session is forgotten. */
const REMEMBERED_MS = 60_000;

/**
 * Tracks sessions that have a place on this node, but have not arrived here. Other nodes request them here.
 * If a session is requested again after some time, it will never arrive, because the node that placed it has
 * died. Its place must not block its tag any longer. A late start order is refused, because every order is
 * checked against the placements.
 */
export class MissingSessions {
  /** Moment of the first request for each session. */
  readonly #since = new Map<string, number>();
  /** Sessions whose start order is being checked against the placements. */
  readonly #arriving = new Set<string>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Records a request for a missing session. Returns true if the session will never arrive. */
  isOverdue(sessionId: string): boolean {
    if (this.#arriving.has(sessionId)) return false;
    const now = this.clock.now();
    for (const [id, since] of this.#since) if (now - since > REMEMBERED_MS) this.#since.delete(id);
    const since = this.#since.get(sessionId) ?? now;
    this.#since.set(sessionId, since);
    return now - since >= ON_ITS_WAY_MS;
  }

  /**
   * Records that the start order of a session has arrived. Call the returned function after the check of the
   * order.
   */
  orderReceived(sessionId: string): () => void {
    this.#arriving.add(sessionId);
    return () => {
      this.#arriving.delete(sessionId);
      this.#since.delete(sessionId);
    };
  }
}
