import type { Clock } from '../../platform/time/clock.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';

/** Interval of the checks that find out if the session is in use. Milliseconds. */
export const LOOK_INTERVAL_MS = 1_000;

/** Programs of a session that can be frozen. */
export interface FreezablePrograms {
  /** Prepares {@link freeze}. Never rejects. */
  prepare(): Promise<void>;
  /** Freezes all programs. They answer nothing until {@link thaw}. */
  freeze(): void;
  /** Continues all programs. */
  thaw(): void;
}

/** Dependencies of a {@link Standby}. */
export interface StandbyParts {
  clock: Clock;
  /** Milliseconds without use after which the session is frozen. Infinity if it is never frozen. */
  afterMs: number;
  programs: FreezablePrograms;
  /** Returns true if the session is in use at this moment. */
  isUsed(): boolean;
  /** Makes the programs release memory that they do not need. Must settle soon. */
  trim(): Promise<void>;
  /**
   * Pauses the checks for hanging programs, or starts them again. Called before the programs are frozen, and
   * after they continue.
   */
  onPause(paused: boolean): void;
  /** Called after the programs were frozen, and after they continue. */
  onChange(standby: boolean): void;
}

/**
 * Freezes the programs of a session that is not in use, and continues them when it is used again. The
 * session's host itself always runs.
 */
export class Standby {
  readonly #looks: Repetition;
  /** `entering`: the programs are being prepared. They are then frozen if the session is still not in use. */
  #state: 'running' | 'entering' | 'frozen' | 'ended' = 'running';
  #usedAt: number;
  /** Number of running tasks that need the programs. */
  #tasks = 0;

  constructor(private readonly parts: StandbyParts) {
    const { clock, afterMs } = parts;
    this.#usedAt = clock.now();
    const first = afterMs === Infinity ? Infinity : LOOK_INTERVAL_MS;
    this.#looks = repeat(clock, { every: LOOK_INTERVAL_MS, first }, () => this.#look());
  }

  /** True while the programs are frozen. */
  get frozen(): boolean {
    return this.#state === 'frozen';
  }

  /** Continues the session's programs, for example because a viewer or a task needs them. */
  wake(): void {
    this.#usedAt = this.parts.clock.now();
    if (this.#state === 'frozen') {
      this.#state = 'running';
      this.parts.programs.thaw();
      this.parts.onPause(false);
      this.parts.onChange(false);
    } else if (this.#state === 'entering') this.#state = 'running';
  }

  /** Performs a task that needs the programs. They are not frozen until it has settled. */
  async during<T>(task: () => Promise<T>): Promise<T> {
    this.wake();
    this.#tasks++;
    try {
      return await task();
    } finally {
      this.#tasks--;
      this.#usedAt = this.parts.clock.now();
    }
  }

  /** Continues the programs for the last time, because the session ends. */
  end(): void {
    this.wake();
    this.#state = 'ended';
    this.#looks.stop();
  }

  get #used(): boolean {
    return this.#tasks > 0 || this.parts.isUsed();
  }

  get #entering(): boolean {
    return this.#state === 'entering';
  }

  async #look(): Promise<void> {
    if (this.#state !== 'running') return;
    const { clock, afterMs } = this.parts;
    if (this.#used) this.#usedAt = clock.now();
    else if (clock.now() - this.#usedAt >= afterMs) await this.#enter();
  }

  async #enter(): Promise<void> {
    const { parts } = this;
    this.#state = 'entering';
    const since = this.#usedAt;
    await parts.trim().catch(() => undefined);
    await parts.programs.prepare();
    // A viewer may have joined meanwhile, and may have left again.
    if (!this.#entering) return;
    if (this.#used || this.#usedAt !== since) {
      this.#state = 'running';
      return;
    }
    parts.onPause(true);
    parts.programs.freeze();
    this.#state = 'frozen';
    parts.onChange(true);
  }
}
