import type { Clock } from '../platform/time/clock.js';
import type { Log } from '../platform/log.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';

/**
 * Average interval of probes in milliseconds. Each interval is random, so that not all machines probe a
 * recovered database at the same moment.
 */
export const PROBE_INTERVAL_MS = 1_000;
/** Range of the random intervals, relative to their average: 0.5 means 75 % to 125 % of the average. */
const JITTER = 0.5;

/** Dependencies of a {@link Circuit}. */
export interface CircuitParts {
  clock: Clock;
  log: Log;
  /**
   * Checks that the database answers. The function has its own timeout, and rejects if no answer arrives in
   * time.
   */
  probe: () => Promise<void>;
}

/**
 * Tracks if the database is available (a circuit breaker). The database counts as unavailable from the first
 * failed contact until a probe succeeds. In that time callers do not contact the database, and a probe
 * checks it once a second.
 */
export class Circuit {
  readonly #listeners = new Set<(available: boolean) => void>();
  #since: number | undefined;
  readonly #probes: Repetition;
  #closed = false;

  constructor(private readonly parts: CircuitParts) {
    const wait = () => PROBE_INTERVAL_MS * (1 + JITTER * (Math.random() - 0.5));
    const every = () => (this.available ? Infinity : wait());
    this.#probes = repeat(parts.clock, { every, first: Infinity, onError: () => undefined }, async () => {
      await parts.probe();
      this.succeeded();
    });
  }

  get available(): boolean {
    return this.#since === undefined;
  }

  /** Calls the listener on every change. The returned function removes it. */
  watch(listener: (available: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Records a failed contact, and probes the database at once. Often only one connection was lost, and the
   * database is available.
   */
  failed(error: Error): void {
    if (!this.available || this.#closed) return;
    this.#since = this.parts.clock.now();
    this.parts.log.warn('the database cannot be reached; running sessions continue', {
      problem: error.message,
    });
    this.#notify(false);
    this.#probes.runIn(0);
  }

  /** Records a successful contact. */
  succeeded(): void {
    if (this.#since === undefined || this.#closed) return;
    const seconds = (this.parts.clock.now() - this.#since) / 1000;
    this.#since = undefined;
    this.#probes.runIn(Infinity);
    this.parts.log.info('the database answers again', { seconds });
    this.#notify(true);
  }

  /** Stops the probes and removes all listeners. Safe to call twice. */
  close(): void {
    this.#closed = true;
    this.#probes.stop();
    this.#listeners.clear();
  }

  #notify(available: boolean): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(available);
      } catch (error) {
        this.parts.log.error('a listener of the database state failed', { error });
      }
    }
  }
}
