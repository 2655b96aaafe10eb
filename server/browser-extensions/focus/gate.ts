/** A difference between clocks of display and page that is none, in milliseconds: the display's has whole ones. */
const ROUNDING_MS = 1;

/**
 * Whether what somebody does may change masked fields. Closed, unless the host opened it, and then for a while only: a page that
 * hangs cannot be told to close it. What was done before it was opened is late and stays refused: events have the display's time.
 */
export class Gate {
  #from = Infinity;
  #until = -Infinity;

  open(lease: number): void {
    const now = performance.now();
    if (now > this.#until) this.#from = now;
    this.#until = now + lease;
  }

  close(): void {
    this.#from = Infinity;
    this.#until = -Infinity;
  }

  lets({ timeStamp }: Event): boolean {
    return timeStamp >= this.#from - ROUNDING_MS && timeStamp <= this.#until;
  }
}
