/**
 * Reports that users are active. It reports the first input at once, and all later input of an interval
 * together at the end of the interval. So the last input is always reported, with a delay of less than one
 * interval.
 */
export class ActivityReport {
  #timer: NodeJS.Timeout | undefined;
  #again = false;

  /** @param interval minimum milliseconds between two reports */
  constructor(
    private readonly tell: () => void,
    private readonly interval: number,
  ) {}

  /** Records input of a user. */
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
