import type { Clock } from '../platform/clock.js';

/**
 * Time for which a requested session may still be on its way. The node that placed it sends its order
 * immediately.
 */
const ON_ITS_WAY_MS = 1_500;
/** Time without a request after which a session is forgotten. */
const REMEMBERED_MS = 60_000;

/**
 * Tracks sessions that other nodes request here, because they have a place on this node, but that this node
 * does not have. A session that is requested again after some time never comes: the node that placed it has
 * died, and its place blocks its tag. If its order comes later, it is refused, since an order is checked
 * against the placements before it is carried out.
 */
export class MissingSessions {
  /** Moment of the first request for each session. */
  readonly #since = new Map<string, number>();
  /** Sessions whose order is being checked against the placements. */
  readonly #arriving = new Set<string>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Records a request for a missing session. Returns true if the session never comes. */
  isOverdue(sessionId: string): boolean {
    if (this.#arriving.has(sessionId)) return false;
    const now = this.clock.now();
    for (const [id, since] of this.#since) if (now - since > REMEMBERED_MS) this.#since.delete(id);
    const since = this.#since.get(sessionId) ?? now;
    this.#since.set(sessionId, since);
    return now - since >= ON_ITS_WAY_MS;
  }

  /** Notes that the order of a session has come. Call the returned function when it has been checked. */
  orderReceived(sessionId: string): () => void {
    this.#arriving.add(sessionId);
    return () => {
      this.#arriving.delete(sessionId);
      this.#since.delete(sessionId);
    };
  }
}
