/**
 * Reports that users are active: the first input at once, and all that follow within an interval together at its end. So the
 * last input is never lost, and is reported late by less than the interval.
 */
export class ActivityReport {
  #timer: NodeJS.Timeout | undefined;
  #again = false;

  /** @param interval milliseconds between two reports at least */
  constructor(
    private readonly tell: () => void,
    private readonly interval: number,
  ) {}

  /** A user gave input. */
  active(): void {
    if (this.#timer) this.#again = true;
    else this.#report();
  }

  /** Ends all reports. */
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
