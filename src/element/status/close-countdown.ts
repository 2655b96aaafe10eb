import type { ReactiveControllerHost } from 'lit';
import type { CloseWarningInfo } from '../../core/index.js';

/**
 * Kind of an end with a countdown. The end `offline` has no countdown, because only sessions without viewers
 * end this way.
 */
type Shown = Exclude<CloseWarningInfo['type'], 'offline'>;

/** An upcoming automatic end of the session. */
export interface ComingEnd {
  kind: Shown;
  /** Remaining time in whole seconds, at least 0. */
  seconds: number;
}

/**
 * Counts down the seconds to each announced end of the session. Updates the element every second. A moved
 * element keeps its connection, so it also keeps the countdown.
 */
export class CloseCountdown {
  /** Time of each end in milliseconds of `performance.now()`. */
  readonly #ends = new Map<Shown, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly host: ReactiveControllerHost) {}

  /** The earliest of the announced ends. */
  get current(): ComingEnd | undefined {
    const [first] = [...this.#ends].sort(([, one], [, other]) => one - other);
    if (!first) return undefined;
    const [kind, end] = first;
    return { kind, seconds: Math.max(0, Math.ceil((end - performance.now()) / 1000)) };
  }

  /** Shows the countdown of a warning. A warning without a deadline removes the countdown of its type. */
  warn({ type, deadline }: CloseWarningInfo): void {
    if (type === 'offline') return;
    if (deadline) this.#ends.set(type, performance.now() + deadline.delay * 1000);
    else this.#ends.delete(type);
    this.#count();
  }

  /**
   * Removes all countdowns, because the connection has ended. After the next connect, the session sends its
   * warnings again.
   */
  clear(): void {
    this.#ends.clear();
    this.#count();
  }

  #count(): void {
    clearInterval(this.#timer);
    if (this.#ends.size > 0) this.#timer = setInterval(() => this.host.requestUpdate(), 1000);
    this.host.requestUpdate();
  }
}
