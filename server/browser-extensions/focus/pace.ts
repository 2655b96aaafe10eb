/** Pause between two actions, in milliseconds: a page may move its focus at any rate. */
const PACE_MS = 50;
/**
 * Interval of checks without a request, in milliseconds. Fields move without an event, for example by styles
 * or by content that loads above them.
 */
const LOOK_MS = 400;

/** Acts soon after a request, however many requests come, and from time to time without one. */
export class Pace {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: 'rests' | 'is about to' | 'pauses' | 'stopped' = 'rests';
  #again = false;

  /** @param goesOn returns true to check again without a request */
  constructor(
    private readonly act: () => void,
    private readonly goesOn: () => boolean,
  ) {}

  ask(): void {
    if (this.#state === 'pauses') this.#again = true;
    // Runs in a separate task, because a field that loses the focus is followed by one that gets it.
    else if (this.#state === 'rests') this.#after(0, 'is about to', () => this.#act());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#state = 'stopped';
  }

  #act(): void {
    this.#again = false;
    this.#after(PACE_MS, 'pauses', () => {
      this.#state = 'rests';
      if (this.#again) this.#act();
      else if (this.goesOn()) this.#after(LOOK_MS, 'rests', () => this.#act());
    });
    this.act();
  }

  #after(milliseconds: number, state: 'rests' | 'is about to' | 'pauses', then: () => void): void {
    clearTimeout(this.#timer);
    this.#state = state;
    this.#timer = setTimeout(then, milliseconds);
  }
}
