/** Time without any bytes after which a request ends. Milliseconds. */
const SILENCE_MS = 15_000;

/** Ends a request that gets no bytes for {@link SILENCE_MS}. */
export class SilenceLimit {
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Aborted after too much silence, and together with the caller's signal. */
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = anySignal(signal, this.#abort.signal);
    this.heard();
  }

  /** Restarts the time. Call this for every part of the answer. */
  heard(): void {
    this.end();
    this.#timer = setTimeout(
      () => this.#abort.abort(new DOMException('The answer did not continue in time.', 'TimeoutError')),
      SILENCE_MS,
    );
  }

  /** Ends the limit, because the request is over. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Returns a signal that is aborted when any of these signals is aborted, with the reason of that signal.
 * Firefox before 124 and Safari before 17.4 have no `AbortSignal.any`.
 */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const any = new AbortController();
  for (const signal of signals) {
    const abort = () => any.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: any.signal });
  }
  return any.signal;
}
