/** Notices that nothing was heard for a while: once, until something is heard again. */
export class Silence {
  readonly #timer: NodeJS.Timeout;
  #heard = 0;

  /** @param limit milliseconds */
  constructor(limit: number, onSilence: () => void) {
    this.#timer = setTimeout(() => {
      const heard = this.#heard;
      // A process that was busy itself has not read yet what came meanwhile: it does so before this.
      setImmediate(() => {
        if (heard === this.#heard) onSilence();
      });
    }, limit);
    this.#timer.unref();
  }

  heard(): void {
    this.#heard += 1;
    this.#timer.refresh();
  }

  close(): void {
    this.#heard += 1;
    clearTimeout(this.#timer);
  }
}
