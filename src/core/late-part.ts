import { Deferred } from './deferred.js';
import { systemTimers, type Timers } from './timers.js';

/**
 * Delay before the first retry, and the longest delay, in milliseconds. Each delay is twice as long as the
 * previous one.
 */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/**
 * Timeout for callers that wait for a part, in milliseconds. A part that is loaded after the timeout is still
 * used.
 */
const PATIENCE_MS = 5_000;
/**
 * Time without an answer after which a part is reported as missing, in milliseconds. Browsers may wait some
 * minutes before they give up a request without an answer. The attempt goes on, because another import of the
 * same file waits for the same request.
 */
const SILENCE_MS = 15_000;

/** A part of the script could not be loaded, for example because a newer version has replaced its file. */
export class NotLoadedError extends Error {
  override readonly name = 'NotLoadedError';

  constructor() {
    super('A part of the viewer could not be loaded. The viewer tries again.');
  }
}

/** Functions that load a part and receive the result. */
export interface LateLoad<Part> {
  load(): Promise<Part>;
  /** The part is loaded. */
  onLoaded(part: Part): void;
  /**
   * Called once, after the second failure to load the part, or when an attempt gets no answer for 15 s. The
   * part may still be loaded later.
   */
  onFailure(error: Error): unknown;
}

/**
 * Loads a part of the script that is not necessary for the first picture. So a page downloads less before it
 * shows a picture. Retries after each failure, until {@link LatePart.close} is called.
 */
export class LatePart<Part> {
  readonly #settled = new Deferred<void>();
  readonly #deadline: unknown;
  /** Timer of the next attempt, or of the silence of this attempt. */
  #timer: unknown;
  #delay = FIRST_DELAY_MS;
  #reported = false;
  #closed = false;

  constructor(
    private readonly parts: LateLoad<Part>,
    private readonly timers: Timers = systemTimers,
  ) {
    this.#deadline = timers.setTimeout(this.#settle, PATIENCE_MS);
    this.#load();
  }

  /** Resolves when the part is loaded, has failed, has reached its timeout, or is not needed any more. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  close(): void {
    this.#closed = true;
    this.timers.clearTimeout(this.#timer);
    this.#settle();
  }

  readonly #settle = (): void => {
    this.timers.clearTimeout(this.#deadline);
    this.#settled.resolve();
  };

  readonly #report = (): void => {
    if (this.#reported) return;
    this.#reported = true;
    this.parts.onFailure(new NotLoadedError());
  };

  readonly #load = (): void => {
    this.#timer = this.timers.setTimeout(this.#report, SILENCE_MS);
    this.parts.load().then(
      (part) => {
        if (this.#closed) return;
        this.timers.clearTimeout(this.#timer);
        this.parts.onLoaded(part);
        this.#settle();
      },
      () => {
        if (this.#closed) return;
        this.timers.clearTimeout(this.#timer);
        this.#settle();
        // A short interruption of the network causes one failure, and the next attempt succeeds.
        if (this.#delay > FIRST_DELAY_MS) this.#report();
        this.#timer = this.timers.setTimeout(this.#load, this.#delay);
        this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY_MS);
      },
    );
  };
}
