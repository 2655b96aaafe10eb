import type { Clock, Timer } from '../../../../platform/time/clock.js';

/** Maximum number of steps in a round. The steps of a round run at the same time. */
const ABREAST = 4;
/**
 * If a round takes less time than the first value, the next round may run one more step. If a round takes
 * more time than the second value, the next round gets only one step. Milliseconds.
 */
const [QUICK_MS, SLOW_MS] = [40, 80];
/**
 * Minimum and maximum pause between two rounds. A pause lasts half as long as the round before it. So a third
 * of the time is left for the page. Milliseconds.
 */
const [MIN_REST_MS, MAX_REST_MS] = [4, 200];

/** A step that sends requests to the browser. */
type Step = () => Promise<void>;

/**
 * Priority of a step. `soon` and `quietly`: the step runs in the order of the queue. `later`: the step runs
 * when no other step waits. Only a `soon` step starts reports of progress, because the other steps often find
 * nothing new.
 */
export type StepTime = 'soon' | 'quietly' | 'later';

/**
 * Runs many small steps in rounds, with a pause after each round. If a round takes long, the next round has
 * fewer steps.
 */
export class ReadingLane {
  #steps: Step[] = [];
  #later: Step[] = [];
  #timer: Timer | undefined;
  #abreast = 1;
  #busy = false;
  #quiet = true;
  #closed = false;

  /**
   * @param onProgress called after each round, beginning with the first round after a `soon` step was added.
   *   The last call has the argument true. Then only `later` steps are left, or none
   */
  constructor(
    private readonly clock: Clock,
    private readonly onProgress: (complete: boolean) => void,
  ) {}

  get idle(): boolean {
    return !this.#busy && this.#steps.length === 0 && this.#later.length === 0;
  }

  /** Queues a step. The step must never reject. */
  push(step: Step, when: StepTime): void {
    if (this.#closed) return;
    if (when === 'soon') this.#quiet = false;
    (when === 'later' ? this.#later : this.#steps).push(step);
    if (!this.#timer && !this.#busy) this.#timer = this.clock.setTimeout(() => void this.#round(), 0);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#steps = [];
    this.#later = [];
  }

  async #round(): Promise<void> {
    this.#timer = undefined;
    this.#busy = true;
    const began = this.clock.now();
    const steps = this.#steps.splice(0, this.#abreast);
    if (steps.length === 0) steps.push(...this.#later.splice(0, this.#abreast));
    await Promise.all(steps.map((step) => step()));
    this.#busy = false;
    if (this.#closed) return;
    const took = this.clock.now() - began;
    if (took < QUICK_MS) this.#abreast = Math.min(ABREAST, this.#abreast + 1);
    else if (took > SLOW_MS) this.#abreast = 1;
    const complete = this.#steps.length === 0;
    if (!this.#quiet) this.onProgress(complete);
    if (complete) this.#quiet = true;
    if (this.idle) return;
    const rest = Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, took / 2));
    this.#timer = this.clock.setTimeout(() => void this.#round(), rest);
  }
}
