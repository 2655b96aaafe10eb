/** Milliseconds between an answer and the next question. */
export const PACE_MS = 3_000;
/** Between questions that are not answered: the pause doubles up to this. */
export const LONGEST_PAUSE_MS = 30_000;

/** What a {@link Watch} needs. */
export interface WatchParts<Answer> {
  /** Has a deadline of its own. */
  ask: () => Promise<Answer>;
  clock: { setTimeout(run: () => void, milliseconds: number): { cancel(): void } };
  onAnswer: (answer: Answer) => void;
  /** @param pause milliseconds until the next try, unless the watch is stopped now */
  onFailure: (error: unknown, pause: number) => void;
}

/** Asks again and again: one question at a time, none while paused, and ever fewer while nobody answers. */
export class Watch<Answer> {
  #running = false;
  #paused = false;
  #failures = 0;
  #timer: { cancel(): void } | undefined;
  /** The question whose answer is awaited. */
  #question: object | undefined;

  constructor(private readonly parts: WatchParts<Answer>) {}

  /** Asks at once, unless paused. What was under way counts no more. */
  start(): void {
    this.stop();
    this.#running = true;
    this.#failures = 0;
    this.askNow();
  }

  /** No answer is heard any more. Safe to call twice. */
  stop(): void {
    this.#running = false;
    this.#question = undefined;
    this.#timer?.cancel();
  }

  /** Nobody looks: no more questions. The answer of the last one is still heard. */
  pause(): void {
    this.#paused = true;
    this.#timer?.cancel();
  }

  /** Asks at once, when it is started. */
  resume(): void {
    this.#paused = false;
    this.askNow();
  }

  /** Does not wait for the next turn. */
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
    if ('answer' in heard) {
      this.#failures = 0;
      this.#wait(PACE_MS);
      this.parts.onAnswer(heard.answer);
    } else {
      const pause = Math.min(LONGEST_PAUSE_MS, PACE_MS * 2 ** this.#failures++);
      this.#wait(pause);
      this.parts.onFailure(heard.error, pause);
    }
  }

  #wait(milliseconds: number): void {
    if (this.#paused) return;
    this.#timer = this.parts.clock.setTimeout(() => this.askNow(), milliseconds);
  }
}
