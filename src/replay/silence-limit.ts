/** Time without any bytes after which a request ends. Milliseconds. */
const SILENCE_MS = 15_000;

/** Ends a request that gets no bytes for {@link SILENCE_MS}. */
export class SilenceLimit {
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Aborted after too much silence, and together with the caller's signal. */
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#abort.signal]);
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
