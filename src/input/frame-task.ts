/**
 * Batches events that arrive faster than the screen refreshes. Calls `run` once in the next animation frame.
 * {@link flush} calls `run` immediately. Call `flush` before you send an event that must follow the batched
 * ones.
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
