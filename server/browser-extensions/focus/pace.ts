/** Between two acts, in milliseconds: a page may move its focus as often as it likes. */
const PACE_MS = 50;
/** Fields move without an event: by styles, by what is loaded above them. So often is looked by itself, in milliseconds. */
const LOOK_MS = 400;

/** Acts soon after it is asked to, however often that is, and by itself now and then. */
export class Pace {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: 'rests' | 'is about to' | 'pauses' | 'stopped' = 'rests';
  #again = false;

  /** @param goesOn whether to look again without being asked */
  constructor(
    private readonly act: () => void,
    private readonly goesOn: () => boolean,
  ) {}

  ask(): void {
    if (this.#state === 'pauses') this.#again = true;
    // In a task of its own: a field that loses the focus is followed by one that gets it.
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
