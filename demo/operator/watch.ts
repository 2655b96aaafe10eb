/** Milliseconds between an answer and the next request, by default. */
export const PACE_MS = 3_000;
/** Maximum pause after failed requests. The pause doubles up to this value. */
export const LONGEST_PAUSE_MS = 30_000;

/** Options of a {@link Watch}. */
export interface WatchParts<Answer> {
  /** Sends the request. It has its own timeout. */
  ask: () => Promise<Answer>;
  clock: { setTimeout(run: () => void, milliseconds: number): { cancel(): void } };
  /** Milliseconds between an answer and the next request. Default {@link PACE_MS}. */
  pace?: number;
  onAnswer: (answer: Answer) => void;
  /** @param pause milliseconds until the next try, unless the watch is stopped now */
  onFailure: (error: unknown, pause: number) => void;
}

/**
 * Polls the service: one request at a time, none while paused, and fewer and fewer while it does not answer.
 */
export class Watch<Answer> {
  #running = false;
  #paused = false;
  #failures = 0;
  #timer: { cancel(): void } | undefined;
  /** The pending request. */
  #question: object | undefined;

  constructor(private readonly parts: WatchParts<Answer>) {}

  /** Sends a request now, unless paused. Ignores an earlier pending request. */
  start(): void {
    this.stop();
    this.#running = true;
    this.#failures = 0;
    this.askNow();
  }

  /** Stops polling and ignores a pending answer. It is safe to call it twice. */
  stop(): void {
    this.#running = false;
    this.#question = undefined;
    this.#timer?.cancel();
  }

  /** Pauses polling while the page is hidden. A pending answer is still handled. */
  pause(): void {
    this.#paused = true;
    this.#timer?.cancel();
  }

  /** Continues and sends a request now, if the watch was started. */
  resume(): void {
    this.#paused = false;
    this.askNow();
  }

  /** Sends a request now, without waiting for the next turn. */
  askNow(): void {
    if (!this.#running || this.#paused || this.#question) return;
    this.#timer?.cancel();
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const question = (this.#question = {});
    const heard = await this.parts.ask().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (this.#question !== question) return;
    this.#question = undefined;
    const { pace = PACE_MS } = this.parts;
    if ('answer' in heard) {
      this.#failures = 0;
      this.#wait(pace);
      this.parts.onAnswer(heard.answer);
    } else {
      const pause = Math.min(LONGEST_PAUSE_MS, pace * 2 ** this.#failures++);
      this.#wait(pause);
      this.parts.onFailure(heard.error, pause);
    }
  }

  #wait(milliseconds: number): void {
    if (this.#paused) return;
    this.#timer = this.parts.clock.setTimeout(() => this.askNow(), milliseconds);
  }
}
