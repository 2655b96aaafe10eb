/**
 * Tells that people do something: at once for the first sign, and for all that follow within an interval once more at its
 * end. So the last sign is never lost, and what is told of it is late by less than the interval.
 */
export class ActivityReport {
  #timer: NodeJS.Timeout | undefined;
  #again = false;

  /** @param interval milliseconds between two reports at least */
  constructor(
    private readonly tell: () => void,
    private readonly interval: number,
  ) {}

  /** A person did something. */
  active(): void {
    if (this.#timer) this.#again = true;
    else this.#report();
  }

  /** Tells nothing any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#again = false;
  }

  #report(): void {
    this.tell();
    this.#timer = setTimeout(() => this.#next(), this.interval);
    this.#timer.unref();
  }

  #next(): void {
    this.#timer = undefined;
    if (!this.#again) return;
    this.#again = false;
    this.#report();
  }
}
