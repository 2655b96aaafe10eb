/** What one session looks up, and what of it waits for its turn. */
export interface Lookups {
  open: number;
  readonly waiting: (() => void)[];
}

/**
 * The threads in which names are looked up, shared by all sessions. A session may use no more than are left free: alone half of them,
 * beside another one a third, and whoever comes finds one. So a page that asks for names whose servers never answer holds up no
 * other session's.
 */
export class NameThreads {
  #free: number;
  /** Sessions that wait, in turns. */
  readonly #queue = new Set<Lookups>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when it is this session's turn; {@link giveBack} is to follow. */
  take(session: Lookups): Promise<void> {
    if (session.waiting.length === 0 && session.open < this.#free) {
      this.#begin(session);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      session.waiting.push(resolve);
      this.#queue.add(session);
    });
  }

  giveBack(session: Lookups): void {
    session.open -= 1;
    this.#free += 1;
    for (const next of [...this.#queue]) {
      if (next.open >= this.#free) continue;
      const begin = next.waiting.shift();
      this.#queue.delete(next);
      if (next.waiting.length > 0) this.#queue.add(next);
      if (!begin) continue;
      this.#begin(next);
      begin();
    }
  }

  #begin(session: Lookups): void {
    session.open += 1;
    this.#free -= 1;
  }
}
