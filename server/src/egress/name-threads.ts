import { FairShare, type Portion } from './fair-share.js';

/** Open and waiting lookups of one session. */
export interface Lookups extends Portion {
  readonly waiting: (() => void)[];
}

/**
 * The threads for name lookups, shared by all sessions. A session that has used its share waits. So a page
 * that requests names whose name servers do not answer cannot block the lookups of other sessions.
 */
export class NameThreads {
  readonly #share: FairShare;
  /** Sessions that wait, in the order of their turns. */
  readonly #queue = new Set<Lookups>();

  constructor(count: number) {
    this.#share = new FairShare(count);
  }

  /** Resolves when the session may use a thread. The caller calls {@link giveBack} later. */
  take(session: Lookups): Promise<void> {
    if (session.waiting.length === 0 && this.#share.take(session)) return Promise.resolve();
    return new Promise((resolve) => {
      session.waiting.push(resolve);
      this.#queue.add(session);
    });
  }

  giveBack(session: Lookups): void {
    this.#share.giveBack(session);
    for (const next of [...this.#queue]) {
      if (!this.#share.take(next)) continue;
      const begin = next.waiting.shift();
      this.#queue.delete(next);
      if (next.waiting.length > 0) this.#queue.add(next);
      begin?.();
    }
  }
}
