import { Lanes } from '../../../../platform/time/lanes.js';

/** Maximum number of waiting commands of all programs. */
const MAX_WAITING = 40;

/** Runs expensive commands of all programs one after the other, so that viewers keep their frames. */
export class LoneCommands {
  readonly #lane = new Lanes(1);
  #waiting = 0;

  /** True if no more commands can wait. */
  get full(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  /** Runs a command after the earlier ones. */
  run<T>(command: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    return this.#lane.run(command).finally(() => (this.#waiting -= 1));
  }
}
