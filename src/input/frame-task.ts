/**
 * Gathers what arrives faster than the screen refreshes: `run` is called once in the next animation frame, or at once by
 * {@link flush} when something that must come after it is about to be sent.
 */
export class FrameTask {
  #request: number | undefined;

  constructor(private readonly run: () => void) {}

  schedule(): void {
    this.#request ??= requestAnimationFrame(() => {
      this.#request = undefined;
      this.run();
    });
  }

  /** Runs now what is scheduled, if anything is. */
  flush(): void {
    if (this.#request === undefined) return;
    this.cancel();
    this.run();
  }

  cancel(): void {
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
    this.#request = undefined;
  }
}
