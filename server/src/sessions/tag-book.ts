import type { Session } from './session.js';

/** Which sessions hold a tag, from the moment they are asked for until they are over. */
export class TagBook {
  readonly #holders = new Map<string, Promise<Session>>();

  /**
   * The usable session of this tag: the one that runs, the one that somebody else is just starting, or else what `begin`
   * makes. Rejects as `begin` does, and only for the caller whose `begin` it was.
   */
  async claim(tag: string, begin: () => Promise<Session>): Promise<Session> {
    for (;;) {
      const holder = this.#holders.get(tag);
      if (!holder) break;
      const session = await holder.catch(() => undefined);
      if (session && !session.ending) return session;
      await session?.ended;
      if (this.#holders.get(tag) === holder) this.#holders.delete(tag);
    }
    const begun = begin();
    this.#holders.set(tag, begun);
    // Those who wait learn of a failure by trying themselves.
    begun.catch(() => this.#release(tag, begun));
    const session = await begun;
    void session.ended.then(() => this.#release(tag, begun));
    return session;
  }

  #release(tag: string, holder: Promise<Session>): void {
    if (this.#holders.get(tag) === holder) this.#holders.delete(tag);
  }
}
