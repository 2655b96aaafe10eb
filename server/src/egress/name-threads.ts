import { FairShare, type Portion } from './fair-share.js';

/** What one session looks up, and what of it waits for its turn. */
export interface Lookups extends Portion {
  readonly waiting: (() => void)[];
}

/**
 * The threads in which names are looked up, shared by all sessions. Who has no share left waits for one, so a page that asks for names
 * whose servers never answer holds up no other session's.
 */
export class NameThreads {
  readonly #share: FairShare;
  /** Sessions that wait, in turns. */
  readonly #queue = new Set<Lookups>();

  constructor(count: number) {
    this.#share = new FairShare(count);
  }

  /** Resolves when it is this session's turn; {@link giveBack} is to follow. */
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
