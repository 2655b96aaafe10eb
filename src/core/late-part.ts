import { Deferred } from './deferred.js';
import { systemTimers, type Timers } from './timers.js';

/** Before the first try after a failure; each is twice as late as the one before it, up to the longest. Milliseconds. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** After this nobody waits for a part any more, though it is used when it comes after all. Milliseconds. */
const PATIENCE_MS = 5_000;

/** How a part is loaded. */
export interface LateLoad<Part> {
  load(): Promise<Part>;
  /** It has come. */
  onLoaded(part: Part): void;
  /** It did not come; it is tried again. Told once. */
  onFailure(error: Error): unknown;
}

/**
 * A part of the script that is not needed for the first picture: loaded beside it, and again while that fails, until closed. What a page
 * downloads before it shows something is so much less.
 */
export class LatePart<Part> {
  readonly #settled = new Deferred<void>();
  readonly #deadline: unknown;
  #timer: unknown;
  #delay = FIRST_DELAY_MS;
  #closed = false;

  constructor(
    private readonly parts: LateLoad<Part>,
    private readonly timers: Timers = systemTimers,
  ) {
    this.#deadline = timers.setTimeout(this.#settle, PATIENCE_MS);
    this.#load();
  }

  /** Resolves when it is there, did not come, is late, or is not wanted any more. */
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

  readonly #load = (): void => {
    this.parts.load().then(
      (part) => {
        if (this.#closed) return;
        this.parts.onLoaded(part);
        this.#settle();
      },
      () => {
        if (this.#closed) return;
        this.#settle();
        if (this.#delay === FIRST_DELAY_MS) this.parts.onFailure(notLoaded());
        this.#timer = this.timers.setTimeout(this.#load, this.#delay);
        this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY_MS);
      },
    );
  };
}

function notLoaded(): Error {
  return new Error('A part of the viewer could not be loaded; it is tried again.');
}
