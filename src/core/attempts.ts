import type { ReconnectPolicy, RetryContext } from './connection/reconnect-policy.js';
import type { Timers } from './timers.js';

/** Counts the attempts to connect. The policy determines the time of the next attempt. */
export class Attempts {
  #context: RetryContext = { phase: 'connect', attempt: 0, elapsed: 0 };
  #since = 0;
  #timer: unknown;
  /** Number of the newest attempt. Numbers are never reused. */
  #number = 0;

  constructor(
    private readonly policy: ReconnectPolicy,
    private readonly timers: Timers,
  ) {}

  /** Restarts the count, because a connection is requested or an existing connection was lost. */
  begin(phase: RetryContext['phase']): void {
    this.#context = { phase, attempt: 0, elapsed: 0 };
    this.#since = this.timers.now();
  }

  /** Starts an attempt. Returns its number. */
  start(): number {
    this.#number += 1;
    return this.#number;
  }

  /** True if this attempt is the newest one and has not ended. Late results of older attempts are ignored. */
  isCurrent(number: number): boolean {
    return number === this.#number;
  }

  /** Counts a failed attempt. */
  failed(): void {
    const { phase, attempt } = this.#context;
    this.#context = { phase, attempt: attempt + 1, elapsed: this.timers.now() - this.#since };
  }

  /**
   * Schedules the next attempt, at least `pause` milliseconds from now. Returns false if the policy allows no
   * further attempt.
   */
  schedule(open: () => void, pause: number): boolean {
    const delay = this.policy.nextDelay(this.#context);
    if (delay === undefined) return false;
    this.#timer = this.timers.setTimeout(open, Math.max(delay, pause));
    return true;
  }

  /**
   * True if the policy allows a first attempt after a lost connection. Then the client connects by itself
   * when the network returns.
   */
  get mayBeginAnew(): boolean {
    return this.policy.nextDelay({ phase: 'reconnect', attempt: 0, elapsed: 0 }) !== undefined;
  }

  /** Ends the current attempt and cancels a scheduled one. */
  cancel(): void {
    this.timers.clearTimeout(this.#timer);
    this.#number += 1;
  }
}
