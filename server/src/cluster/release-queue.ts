import type { Clock, Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { inClockTime } from './in-clock-time.js';
import type { PlacementStore } from './placement-store.js';
import type { Chance } from './retry-after.js';

/** Time for which releases are collected, so that a node that ends many sessions makes few statements. */
const GATHER_MS = 20;
/** Pause after a failure: first and longest. */
const RETRY_MS = 500;
const MAX_RETRY_MS = 8_000;
const CALL_MS = 5_000;

/** Frees places of sessions that are over. Tries again until the database has received it. */
export class ReleaseQueue {
  readonly #waiting = new Set<string>();
  #timer: Timer | undefined;
  #retry = RETRY_MS;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly store: Pick<PlacementStore, 'release'>,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly onReleased: () => void = () => undefined,
    private readonly chance: Chance = Math.random,
  ) {}

  /** Releases that the database has not received yet. */
  get length(): number {
    return this.#waiting.size;
  }

  /** True if the database has not received the release of this session yet. */
  has(sessionId: string): boolean {
    return this.#waiting.has(sessionId);
  }

  add(sessionId: string): void {
    this.#waiting.add(sessionId);
    this.#schedule(GATHER_MS);
  }

  /**
   * Tries the remaining releases once more, and then gives up. The places of this node become free anyway
   * once it has left or is lost.
   */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#closed = true;
    await this.#running;
    await this.#release();
  }

  #schedule(wait: number): void {
    if (this.#timer || this.#running || this.#closed || this.#waiting.size === 0) return;
    this.#timer = this.clock.setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#release().then((wait) => {
        this.#running = undefined;
        this.#schedule(wait);
      });
    }, wait);
  }

  /** Returns the milliseconds until the next attempt. */
  async #release(): Promise<number> {
    const ids = [...this.#waiting];
    if (ids.length === 0) return GATHER_MS;
    try {
      await inClockTime(this.clock, this.store.release(ids), CALL_MS);
      for (const id of ids) this.#waiting.delete(id);
      this.#retry = RETRY_MS;
      this.onReleased();
      return GATHER_MS;
    } catch (error) {
      this.log.warn('could not release places yet', { sessions: ids.length, error });
      const wait = this.#retry * (0.5 + this.chance());
      this.#retry = Math.min(MAX_RETRY_MS, this.#retry * 2);
      return wait;
    }
  }
}
