/**
 * Milliseconds after which a change of control is reported, if the change still lasts. So a short action of
 * another user causes no notices.
 */
const LASTING_MS = 600;

/** Notifies users when they have got or lost control and the change has lasted for a while. */
export class ControlNotices {
  /** Timers of the notices to users whose control has changed lately. */
  readonly #changed = new Map<string, NodeJS.Timeout>();

  /**
   * @param controls returns true if a user controls the browser now
   * @param tell notifies a connected user who has got or lost control
   */
  constructor(
    private readonly controls: (id: string) => boolean,
    private readonly tell: (id: string, controls: boolean) => void,
  ) {}

  /** Records a change of a user's control. `had` is the state before. */
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

  /** Forgets a user who has left. */
  forget(id: string): void {
    clearTimeout(this.#changed.get(id));
    this.#changed.delete(id);
  }

  close(): void {
    for (const id of [...this.#changed.keys()]) this.forget(id);
  }
}
