/** Tolerance between the clocks of display and page, in milliseconds: the display's clock has whole ones. */
const ROUNDING_MS = 1;
/** Maximum number of past open spans that are kept. A page that is even later loses its events. */
const MAX_PAST = 100;
/** Events that follow from keys and mouse. Their time is that of their handling, not of the user's action. */
const CONSEQUENCES = ['beforeinput', 'textInput', 'input', 'change', 'paste', 'cut', 'copy'];

/** A span of the page's clock, in milliseconds. */
interface Span {
  from: number;
  until: number;
}

/**
 * Decides if user input may change masked fields. It is closed unless the host opened it. It stays open only
 * for a while, because a page that hangs cannot receive the command to close it. Events carry the display's
 * time, and the time of the action counts. An action before the gate opened stays refused. An action while it
 * was open is allowed, even if the page handles it after the gate closed.
 */
export class Gate {
  #open: Span = { from: Infinity, until: -Infinity };
  readonly #past: Span[] = [];
  /** True if the event in progress happened while the gate was open, but the gate is closed now. */
  #late = false;

  /** @param soon calls back after the current event was handled */
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
    // The time of a later action may be rounded down.
    this.#remember({ from, until: Math.min(until, performance.now() - ROUNDING_MS) });
    this.#open = { from: Infinity, until: -Infinity };
    this.rest();
  }

  /** Ends the handling of a late event: the next event is no consequence of it. */
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
