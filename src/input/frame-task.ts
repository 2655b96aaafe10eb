/**
 * Batches events that arrive faster than the screen refreshes. Calls `run` once in the next animation frame.
 * {@link flush} calls it immediately. Call it before an event that must come later.
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

  /** Runs a scheduled task now. */
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
