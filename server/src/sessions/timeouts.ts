import type { TimeoutKind } from '../host-protocol.js';
import type { Clock, Timer } from '../platform/clock.js';
import type { TimeoutLimits } from './settings/session-settings.js';

/** Timers of JavaScript hold 2^31 - 1 ms, about 24 days; longer limits are waited for in pieces. */
const LONGEST_WAIT_MS = 86_400_000;
/** As long as an offline limit waits at most for those who are on the way in: anybody could come again and again and never arrive. */
const LONGEST_ARRIVAL_MS = 30_000;
const KINDS: readonly TimeoutKind[] = ['absolute', 'inactive', 'offline'];

/** What is told about the limits of a session. */
export interface TimeoutListener {
  /** The session will end in `delay` milliseconds; null: a warning given before no longer holds. */
  onCloseWarning(kind: TimeoutKind, delay: number | null): void;
  /** The limit has run out. Told once, then nothing more. */
  onTimeout(kind: TimeoutKind): void;
}

/** A change of limits: what is left out stays as it is, null removes a limit. */
export type TimeoutUpdate = { [K in keyof TimeoutLimits]?: TimeoutLimits[K] | undefined } & {
  /** Whether the counters begin anew; default true. */
  reset?: boolean | undefined;
};

/** The limits of one session in time, counted on a clock that cannot be set. */
export class Timeouts {
  readonly #clock: Clock;
  readonly #listener: TimeoutListener;
  #limits: TimeoutLimits;
  /** When each counter began; undefined while it does not run. Milliseconds of the clock. */
  readonly #since: Record<TimeoutKind, number | undefined>;
  readonly #timers = new Map<TimeoutKind, Timer>();
  /** The deadline that was warned of. */
  readonly #warned = new Map<TimeoutKind, number>();
  #viewers = 0;
  /** There is a picture that somebody could see. */
  #shown = false;
  #arriving = false;
  /** When somebody was last on the way in. */
  #lastArrival = -Infinity;
  #stopped = false;

  /** The counters begin now, but for that of offline: nobody can be connected to what is not there. */
  constructor(limits: TimeoutLimits, clock: Clock, listener: TimeoutListener) {
    this.#limits = limits;
    this.#clock = clock;
    this.#listener = listener;
    const now = clock.now();
    this.#since = { absolute: now, inactive: now, offline: undefined };
    this.#scheduleAll();
  }

  get limits(): TimeoutLimits {
    return this.#limits;
  }

  /** A person did something. */
  active(): void {
    this.#restart('inactive', this.#clock.now());
  }

  /** The first picture can be seen. */
  shown(): void {
    this.#shown = true;
    this.connected(this.#viewers);
  }

  /** This many viewers are connected now. */
  connected(viewers: number): void {
    this.#viewers = viewers;
    if (viewers > 0) this.#restart('offline', undefined);
    else if (this.#shown && this.#since.offline === undefined) this.#restart('offline', this.#clock.now());
  }

  /** Somebody is on the way in, or nobody is any more. */
  arriving(any: boolean): void {
    if (this.#arriving) this.#lastArrival = this.#clock.now();
    this.#arriving = any;
    this.#schedule('offline');
  }

  /** New limits; they may have run out already. */
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

  /** Does what is due for one limit, and comes back when the next thing is. */
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
    const wait = Math.min(next - now, LONGEST_WAIT_MS);
    this.#timers.set(
      kind,
      this.#clock.setTimeout(() => this.#schedule(kind), wait),
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

  /** Whoever comes in would be warned of an end that their coming puts off. */
  #expects(kind: TimeoutKind): boolean {
    return kind === 'offline' && this.#arriving;
  }
}
