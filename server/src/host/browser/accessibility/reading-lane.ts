import type { Clock, Timer } from '../../../platform/clock.js';

/** Steps that are under way at once, at most. */
const ABREAST = 4;
/** A round that took less may be followed by one with more steps; after one that took more come fewer. Milliseconds. */
const [QUICK_MS, SLOW_MS] = [40, 80];
/** Between two rounds at least, and at most: a third of the time is the page's. Milliseconds. */
const [MIN_REST_MS, MAX_REST_MS] = [4, 200];

/** Asks some questions. */
type Step = () => Promise<void>;

/** When a step is done. `later`: when there is no other. `quietly`: it may well come to nothing, and is not told of. */
export type StepTime = 'soon' | 'quietly' | 'later';

/** Does many small steps, in their order: the fewer at once the longer they take, and with rests in between. */
export class ReadingLane {
  #steps: Step[] = [];
  #later: Step[] = [];
  #timer: Timer | undefined;
  #abreast = 1;
  #busy = false;
  #quiet = true;
  #closed = false;

  /** @param onProgress told after each round whether all is done that is not for later */
  constructor(
    private readonly clock: Clock,
    private readonly onProgress: (complete: boolean) => void,
  ) {}

  get idle(): boolean {
    return !this.#busy && this.#steps.length === 0 && this.#later.length === 0;
  }

  /** Takes a step, which never rejects. */
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
