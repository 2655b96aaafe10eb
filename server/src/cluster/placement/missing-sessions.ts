import type { Clock } from '../../platform/time/clock.js';

/**
 * Milliseconds for which a session's start order (the request to begin the session) may still arrive after
 * another node first asked for the session. The node that placed the session sends the order immediately.
 */
const ON_ITS_WAY_MS = 1_500;
/** Milliseconds after which a session is forgotten, from the first time that another node asked for it. */
const REMEMBERED_MS = 60_000;

/**
 * Tracks sessions that have a place on this node, but whose start order has not arrived. Other nodes ask this
 * node for such a session. If a node asks {@link ON_ITS_WAY_MS} after the first request or later, the node
 * that placed the session has probably died, and the order will not arrive. The place is then released, so
 * that it does not block the session's tag. If the order arrives later, it is refused, because every order is
 * checked against the placements.
 */
export class MissingSessions {
  /** Moment of the first request for each session. */
  readonly #since = new Map<string, number>();
  /** Sessions whose start order is being checked against the placements. */
  readonly #arriving = new Set<string>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /**
   * Records a request for a missing session. Returns true if the session's start order is so late that it
   * counts as lost.
   */
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
