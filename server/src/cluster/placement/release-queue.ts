import type { Clock } from '../../platform/time/clock.js';
import type { Log } from '../../platform/log.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import { withClockTimeout } from '../clock-timeout.js';
import type { PlacementStore } from './placement-store.js';
import type { Chance } from '../retry-after.js';

/**
 * Milliseconds for which releases are collected before one statement sends them all. So a node that ends many
 * sessions sends few statements.
 */
const GATHER_MS = 20;
/** Average pause after a first failure, and longest average pause after repeated failures. Milliseconds. */
const RETRY_MS = 500;
const MAX_RETRY_MS = 8_000;
const CALL_MS = 5_000;

/** Frees the places of ended sessions. Retries until the database has received each release. */
export class ReleaseQueue {
  readonly #waiting = new Set<string>();
  readonly #attempts: Repetition;
  #retry = RETRY_MS;
  /** Milliseconds until the next attempt. */
  #wait = GATHER_MS;

  constructor(
    private readonly store: Pick<PlacementStore, 'release'>,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly onReleased: () => void = () => undefined,
    private readonly chance: Chance = Math.random,
  ) {
    const every = () => (this.#waiting.size === 0 ? Infinity : this.#wait);
    this.#attempts = repeat(clock, { every }, () => this.#release());
  }

  /** Number of releases that the database has not received yet. */
  get length(): number {
    return this.#waiting.size;
  }

  /** True if the database has not received the release of this session yet. */
  has(sessionId: string): boolean {
    return this.#waiting.has(sessionId);
  }

  add(sessionId: string): void {
    this.#waiting.add(sessionId);
    this.#attempts.wake();
  }

  /**
   * Tries the remaining releases once more, and then stops. If this attempt fails too, the places become free
   * when the node leaves or is declared lost.
   */
  async close(): Promise<void> {
    this.#attempts.stop();
    await this.#attempts.finished();
    await this.#release();
  }

  async #release(): Promise<void> {
    const ids = [...this.#waiting];
    if (ids.length === 0) return;
    try {
      await withClockTimeout(this.clock, this.store.release(ids), CALL_MS);
      for (const id of ids) this.#waiting.delete(id);
      this.#retry = RETRY_MS;
      this.#wait = GATHER_MS;
      this.onReleased();
    } catch (error) {
      // Logs only the first of several failures in a row.
      if (this.#retry === RETRY_MS)
        this.log.warn('could not release places yet', { sessions: ids.length, error });
      this.#wait = this.#retry * (0.5 + this.chance());
      this.#retry = Math.min(MAX_RETRY_MS, this.#retry * 2);
    }
  }
}
