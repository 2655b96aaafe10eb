/** Maximum number of waiting commands of all programs. */
const MAX_WAITING = 40;

/** Runs expensive commands of all programs one after the other, so that viewers keep their frames. */
export class LoneCommands {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** True if no more commands can wait. */
  get full(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  /** Runs a command after the earlier ones. */
  run<T>(command: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const result = this.#last.then(command).finally(() => (this.#waiting -= 1));
    this.#last = result.catch(() => undefined);
    return result;
  }
}
