import type { Clock } from '../platform/clock.js';

/** For so long what is asked for may still be on its way: whoever placed it sends it at once. */
const ON_ITS_WAY_MS = 1_500;
/** What nobody has asked for again in that time is forgotten. */
const REMEMBERED_MS = 60_000;

/**
 * Sessions that were asked for by their places on this node and are not here. One that is asked for again after some time never comes: the node that placed
 * it has died, and its place stands in the way of its tag. Should it come all the same it is refused, since an order is checked against
 * the books before it is carried out.
 */
export class Missing {
  /** When each was first asked for. */
  readonly #since = new Map<string, number>();
  /** Just being checked against the books. */
  readonly #arriving = new Set<string>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** It has been asked for and is not here: whether it never comes. */
  neverComes(sessionId: string): boolean {
    if (this.#arriving.has(sessionId)) return false;
    const now = this.clock.now();
    for (const [id, since] of this.#since) if (now - since > REMEMBERED_MS) this.#since.delete(id);
    const since = this.#since.get(sessionId) ?? now;
    this.#since.set(sessionId, since);
    return now - since >= ON_ITS_WAY_MS;
  }

  /** Its order has come. Call the answer when it has been checked. */
  arrives(sessionId: string): () => void {
    this.#arriving.add(sessionId);
    return () => {
      this.#arriving.delete(sessionId);
      this.#since.delete(sessionId);
    };
  }
}
