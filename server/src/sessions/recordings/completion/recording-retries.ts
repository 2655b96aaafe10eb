import type { Log } from '../../../platform/log.js';
import type { Clock } from '../../../platform/time/clock.js';

/** First pause after a failed attempt. Each further failure doubles the pause, up to the longest pause. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Dependencies of {@link RecordingRetries}. */
export interface RecordingRetriesParts {
  clock: Pick<Clock, 'setTimeout'>;
  log: Log;
}

/** Repeats tasks of recordings until they succeed, for example while a store does not answer. */
export class RecordingRetries {
  readonly #pauses = new Set<() => void>();
  #closed = false;

  constructor(private readonly parts: RecordingRetriesParts) {}

  /**
   * Runs a task until it succeeds. Resolves to its result, or to undefined if {@link close} was called first.
   *
   * @param what log message for a failed attempt
   */
  async run<T>(what: string, recording: string, task: () => Promise<T>): Promise<T | undefined> {
    for (let milliseconds = FIRST_PAUSE_MS; !this.#closed;) {
      try {
        return await task();
      } catch (error) {
        this.parts.log.warn(what, { recording, error });
      }
      await this.#pause(milliseconds);
      milliseconds = Math.min(LONGEST_PAUSE_MS, milliseconds * 2);
    }
    return undefined;
  }

  /** Ends all tasks that wait for their next attempt. Does not interrupt a running attempt. */
  close(): void {
    this.#closed = true;
    for (const end of this.#pauses) end();
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        timer.cancel();
        this.#pauses.delete(end);
        resolve();
      };
      const timer = this.parts.clock.setTimeout(end, milliseconds);
      this.#pauses.add(end);
    });
  }
}
