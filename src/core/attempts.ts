import type { ReconnectPolicy, RetryContext } from './reconnect-policy.js';
import type { Timers } from './timers.js';

/** The attempts at one connection: counts them, and lets the policy say when the next one is due. */
export class Attempts {
  #context: RetryContext = { phase: 'connect', attempt: 0, elapsed: 0 };
  #since = 0;
  #timer: unknown;
  /** Of the newest attempt; never used again. */
  #number = 0;

  constructor(
    private readonly policy: ReconnectPolicy,
    private readonly timers: Timers,
  ) {}

  /** Counts from here: a connection is wanted, or one that there was is lost. */
  begin(phase: RetryContext['phase']): void {
    this.#context = { phase, attempt: 0, elapsed: 0 };
    this.#since = this.timers.now();
  }

  /** An attempt starts. Returns its number. */
  start(): number {
    this.#number += 1;
    return this.#number;
  }

  /** Whether this attempt is the newest and not over: what comes late from an older one counts no more. */
  isCurrent(number: number): boolean {
    return number === this.#number;
  }

  /** An attempt failed. */
  failed(): void {
    const { phase, attempt } = this.#context;
    this.#context = { phase, attempt: attempt + 1, elapsed: this.timers.now() - this.#since };
  }

  /** Makes the next attempt when it is due, after `pause` milliseconds at least; false when the policy gives up. */
  schedule(open: () => void, pause: number): boolean {
    const delay = this.policy.nextDelay(this.#context);
    if (delay === undefined) return false;
    this.#timer = this.timers.setTimeout(open, Math.max(delay, pause));
    return true;
  }

  /** Whether the policy lets a connection that is given up be sought anew by itself. */
  get mayBeginAnew(): boolean {
    return this.policy.nextDelay({ phase: 'reconnect', attempt: 0, elapsed: 0 }) !== undefined;
  }

  /** The attempt under way is over, and no other is made. */
  cancel(): void {
    this.timers.clearTimeout(this.#timer);
    this.#number += 1;
  }
}
