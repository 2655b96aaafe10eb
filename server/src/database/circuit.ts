import type { Clock, Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';

/** Between two probes, on average: a database that comes back is not met by all machines at the same moment. Milliseconds. */
export const PROBE_INTERVAL_MS = 1_000;
/** The part of the interval by which it differs. */
const JITTER = 0.5;

/** What a {@link Circuit} is made of. */
export interface CircuitParts {
  clock: Clock;
  log: Log;
  /** Asks the database for a sign of life; rejects when there is none, in a time of its own. */
  probe: () => Promise<void>;
}

/**
 * Whether the database is there, as far as is known: not from the first contact that failed to the next good one. While it is not,
 * one probe a second looks for it, so that nobody else has to wait for an answer that does not come.
 */
export class Circuit {
  readonly #listeners = new Set<(available: boolean) => void>();
  #since: number | undefined;
  #timer: Timer | undefined;
  #closed = false;

  constructor(private readonly parts: CircuitParts) {}

  get available(): boolean {
    return this.#since === undefined;
  }

  /** Tells every change; answers what ends that. */
  watch(listener: (available: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A contact failed. The first probe goes out at once: it may have been one connection that was lost. */
  failed(error: Error): void {
    if (!this.available || this.#closed) return;
    this.#since = this.parts.clock.now();
    this.parts.log.warn('the database cannot be reached; running sessions go on', { problem: error.message });
    this.#tell(false);
    this.#schedule(0);
  }

  /** A contact was good. */
  succeeded(): void {
    if (this.#since === undefined || this.#closed) return;
    const seconds = (this.parts.clock.now() - this.#since) / 1000;
    this.#since = undefined;
    this.#timer?.cancel();
    this.parts.log.info('the database answers again', { seconds });
    this.#tell(true);
  }

  /** Safe to call twice. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#listeners.clear();
  }

  #schedule(wait: number): void {
    if (this.available || this.#closed) return;
    this.#timer = this.parts.clock.setTimeout(() => {
      this.parts.probe().then(
        () => this.succeeded(),
        () => this.#schedule(PROBE_INTERVAL_MS * (1 + JITTER * (Math.random() - 0.5))),
      );
    }, wait);
  }

  #tell(available: boolean): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(available);
      } catch (error) {
        this.parts.log.error('somebody who waits for the database failed', { error });
      }
    }
  }
}
