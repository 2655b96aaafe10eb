/** A change that is taken back sooner is not worth a word: who pre-empts others by a key lets go again. */
const LASTING_MS = 600;

/** Tells users when their input begins to count, or does not count any more, once that has lasted. */
export class ControlNotices {
  /** Users whose control has changed lately, by what will tell them. */
  readonly #changed = new Map<string, NodeJS.Timeout>();

  /**
   * @param controls whether a user's input counts now
   * @param tell a user, if they are here, that it counts, or does not any more
   */
  constructor(
    private readonly controls: (id: string) => boolean,
    private readonly tell: (id: string, controls: boolean) => void,
  ) {}

  /** A user's control has changed; before it was as `had` says. */
  changed(id: string, had: boolean): void {
    if (this.#changed.has(id)) return;
    const timer = setTimeout(() => {
      this.#changed.delete(id);
      const controls = this.controls(id);
      if (controls !== had) this.tell(id, controls);
    }, LASTING_MS);
    timer.unref();
    this.#changed.set(id, timer);
  }

  /** A user has gone. */
  forget(id: string): void {
    clearTimeout(this.#changed.get(id));
    this.#changed.delete(id);
  }

  close(): void {
    for (const id of [...this.#changed.keys()]) this.forget(id);
  }
}
