/** Runs tasks one after another; each ends by itself. A task that fails does not stop those behind it. */
export class TaskQueue {
  readonly #tasks: (() => Promise<void> | void)[] = [];
  #running = false;

  /** @param onError told of every failed task */
  constructor(private readonly onError: (error: unknown) => void) {}

  push(task: () => Promise<void> | void): void {
    this.#tasks.push(task);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) {
      try {
        // A task without a promise is done at once: pointer moves must not wait for a turn of the event loop.
        const pending = task();
        if (pending) await pending;
      } catch (error) {
        this.onError(error);
      }
    }
    this.#running = false;
  }
}
