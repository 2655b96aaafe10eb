/** A difference between clocks of display and page that is none, in milliseconds: the display's has whole ones. */
const ROUNDING_MS = 1;
/** Times at which the gate was open that are remembered. A page that is later than that has lost what it did not handle. */
const MAX_PAST = 100;
/** What a page makes of keys and mouse, as it handles them. It has the time of that, not of what a person did. */
const CONSEQUENCES = ['beforeinput', 'textInput', 'input', 'change', 'paste', 'cut'];

/** A span of the page's clock, in milliseconds. */
interface Span {
  from: number;
  until: number;
}

/**
 * Whether what somebody does may change masked fields. Closed, unless the host opened it, and then for a while only: a page that
 * hangs cannot be told to close it. Events have the display's time, and what counts is when something was done: before the gate was
 * opened it stays refused, and while it was open it is let through, also when the page comes to it after the gate was closed.
 */
export class Gate {
  #open: Span = { from: Infinity, until: -Infinity };
  readonly #past: Span[] = [];
  /** What is being handled was done while the gate was open, and it is not any more. */
  #late = false;

  /** @param soon calls back when the event that is being handled is through */
  constructor(private readonly soon: (then: () => void) => void = (then) => setTimeout(then)) {}

  open(lease: number): void {
    const now = performance.now();
    if (now > this.#open.until) {
      this.#remember(this.#open);
      this.#open.from = now;
    }
    this.#open.until = now + lease;
    this.rest();
  }

  close(): void {
    const { from, until } = this.#open;
    // What comes after this was done has a time that may be rounded down.
    this.#remember({ from, until: Math.min(until, performance.now() - ROUNDING_MS) });
    this.#open = { from: Infinity, until: -Infinity };
    this.rest();
  }

  /** Nothing is being handled: what comes next is no consequence of what came late. */
  rest(): void {
    this.#late = false;
  }

  lets({ type, timeStamp }: Pick<Event, 'type' | 'timeStamp'>): boolean {
    if (isIn(this.#open, timeStamp)) return true;
    if (CONSEQUENCES.includes(type)) return this.#late;
    this.#late = this.#past.some((span) => isIn(span, timeStamp));
    if (this.#late) this.soon(() => this.rest());
    return this.#late;
  }

  #remember({ from, until }: Span): void {
    if (from > until) return;
    this.#past.push({ from, until });
    if (this.#past.length > MAX_PAST) this.#past.shift();
  }
}

function isIn({ from, until }: Span, time: number): boolean {
  return time >= from - ROUNDING_MS && time <= until;
}
