import type { TimeoutKind } from '../host-protocol.js';
import type { Clock, Timer } from '../platform/time/clock.js';
import { longTimeout } from '../platform/time/long-timeout.js';
import type { TimeoutLimits } from '../create-fields/values/time-limits.js';

/**
 * Longest time for which arriving users delay the offline limit. A user is arriving while the connection is
 * expected or not complete. Without this maximum, users that never arrive could delay the limit forever.
 */
const LONGEST_ARRIVAL_MS = 30_000;
const KINDS: readonly TimeoutKind[] = ['absolute', 'inactive', 'offline'];

/** Listener for the limits of a session. */
export interface TimeoutListener {
  /** Called when the session will end in `delay` milliseconds. Null withdraws an earlier warning. */
  onCloseWarning(kind: TimeoutKind, delay: number | null): void;
  /** Called once when a limit has run out. No other call follows. */
  onTimeout(kind: TimeoutKind): void;
}

/** A change of limits. Absent fields stay unchanged, null removes a limit. */
export type TimeoutUpdate = { [K in keyof TimeoutLimits]?: TimeoutLimits[K] | undefined } & {
  /** True to restart the counters. Default true. */
  reset?: boolean | undefined;
};

/** Time limits of one session, counted on the monotonic clock. */
export class Timeouts {
  readonly #clock: Clock;
  readonly #listener: TimeoutListener;
  #limits: TimeoutLimits;
  /** Start of each counter, in milliseconds of the clock. Undefined while the counter does not run. */
  readonly #since: Record<TimeoutKind, number | undefined>;
  readonly #timers = new Map<TimeoutKind, Timer>();
  /** Deadlines of the limits for which a warning was sent and not withdrawn. */
  readonly #warned = new Map<TimeoutKind, number>();
  #viewers = 0;
  /** True after the page was shown on the display. */
  #shown = false;
  #arriving = false;
  /** Last time at which a user was arriving. */
  #lastArrival = -Infinity;
  #stopped = false;

  /** Starts the absolute counter. The other counters start when the page is shown. */
  constructor(limits: TimeoutLimits, clock: Clock, listener: TimeoutListener) {
    this.#limits = limits;
    this.#clock = clock;
    this.#listener = listener;
    const now = clock.now();
    this.#since = { absolute: now, inactive: undefined, offline: undefined };
    this.#scheduleAll();
  }

  get limits(): TimeoutLimits {
    return this.#limits;
  }

  /**
   * Restarts the counter of inactivity after input of a person, or of a program that keeps the session alive.
   * While no viewer is connected, also restarts the offline counter, because then only a program can have
   * been active.
   */
  active(): void {
    // Both counters start when the page is shown.
    if (!this.#shown) return;
    const now = this.#clock.now();
    this.#restart('inactive', now);
    if (this.#since.offline !== undefined) this.#restart('offline', now);
  }

  /**
   * Records that the page is on the display. The counter of inactivity starts now. The offline counter also
   * starts now if no viewer is connected.
   */
  shown(): void {
    this.#shown = true;
    this.#restart('inactive', this.#clock.now());
    this.connected(this.#viewers);
  }

  /** Sets the number of connected viewers. */
  connected(viewers: number): void {
    this.#viewers = viewers;
    if (viewers > 0) this.#restart('offline', undefined);
    else if (this.#shown && this.#since.offline === undefined) this.#restart('offline', this.#clock.now());
  }

  /** Records whether users are arriving. */
  arriving(any: boolean): void {
    if (this.#arriving) this.#lastArrival = this.#clock.now();
    this.#arriving = any;
    this.#schedule('offline');
  }

  /** Sets new limits. If a new limit has already run out, reports the timeout at once. */
  update({ reset = true, ...changes }: TimeoutUpdate): void {
    if (this.#stopped) return;
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    this.#limits = { ...this.#limits, ...(Object.fromEntries(given) as Partial<TimeoutLimits>) };
    if (reset) {
      const now = this.#clock.now();
      for (const kind of KINDS) if (this.#since[kind] !== undefined) this.#since[kind] = now;
    }
    this.#scheduleAll();
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #restart(kind: TimeoutKind, since: number | undefined): void {
    this.#since[kind] = since;
    this.#schedule(kind);
  }

  #scheduleAll(): void {
    for (const kind of KINDS) this.#schedule(kind);
  }

  /**
   * Reports the timeout of a limit that has run out. For any other limit, sends or withdraws the warning if
   * necessary, and sets a timer for the next step.
   */
  #schedule(kind: TimeoutKind): void {
    this.#timers.get(kind)?.cancel();
    this.#timers.delete(kind);
    if (this.#stopped) return;
    const deadline = this.#deadline(kind);
    const now = this.#clock.now();
    if (deadline !== undefined && now >= deadline) {
      this.stop();
      this.#listener.onTimeout(kind);
      return;
    }
    const warnAt =
      deadline === undefined || this.#expects(kind) ? Infinity : deadline - this.#limits.warning * 1000;
    this.#closeWarning(kind, now >= warnAt && this.#limits.warning > 0 ? deadline : undefined, now);
    if (deadline === undefined) return;
    const next = now < warnAt ? Math.min(warnAt, deadline) : deadline;
    this.#timers.set(
      kind,
      longTimeout(this.#clock, () => this.#schedule(kind), next - now),
    );
  }

  #closeWarning(kind: TimeoutKind, deadline: number | undefined, now: number): void {
    if (this.#warned.get(kind) === deadline) return;
    if (deadline === undefined) {
      this.#warned.delete(kind);
      this.#listener.onCloseWarning(kind, null);
    } else {
      this.#warned.set(kind, deadline);
      this.#listener.onCloseWarning(kind, deadline - now);
    }
  }

  #deadline(kind: TimeoutKind): number | undefined {
    const limit = this.#limits[kind];
    const since = this.#since[kind];
    if (limit === null || since === undefined) return undefined;
    if (kind !== 'offline') return since + limit * 1000;
    const latest = since + limit * 1000 + LONGEST_ARRIVAL_MS;
    return this.#arriving ? latest : Math.min(Math.max(since, this.#lastArrival) + limit * 1000, latest);
  }

  /**
   * True for the offline limit while users are arriving. Then no warning is sent, because the arrival of a
   * user stops the counter.
   */
  #expects(kind: TimeoutKind): boolean {
    return kind === 'offline' && this.#arriving;
  }
}
