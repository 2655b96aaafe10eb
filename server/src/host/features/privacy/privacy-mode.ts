import type { PrivacyNotice } from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../../platform/time/clock.js';
import { longTimeout } from '../../../platform/time/long-timeout.js';
import { CallError } from '../../room/calls/call-error.js';
import { NOTICES } from '../../room/notices.js';
import type { Viewer } from '../../room/viewers/viewer.js';
import { canUse } from '../../room/users/can-use.js';
import type { Roster } from '../../room/users/roster.js';

/**
 * Time between the warning and the end of privacy mode. It is at most half of the maximum duration.
 * Milliseconds.
 */
const WARNING_MS = 60_000;
/**
 * Maximum number of renewals by a user who is not an admin. After that, privacy mode ends, so that other
 * users can use the browser.
 */
const MAX_RENEWALS = 2;
/**
 * Time for which privacy mode continues after its user's connection broke. So other users do not see the
 * browser while this user reconnects. Milliseconds.
 */
export const PRIVACY_AWAY_MS = 15_000;
/**
 * Minimum and maximum of the pause after privacy mode. In the pause, only admins may start privacy mode
 * again. Within these limits, the pause is as long as the privacy mode was. Milliseconds.
 */
const PAUSE_MS = { min: 2_000, max: 60_000 } as const;

/** Reason for the end of privacy mode. `own`: its user ended it. `other`: any other reason. */
type End = 'own' | 'other';

/** State of an active privacy mode. Times are in milliseconds of the clock. */
interface Current {
  readonly userId: string;
  readonly since: number;
  readonly startedAt: Date;
  until: number | null;
  renewals: number;
  /** True if the user was warned of the end. */
  ending: boolean;
}

/**
 * Privacy mode. In this mode only one user sees and controls the browser. The other users get no picture, no
 * sound and no pointer shape. Their roles have no effect (see `canUse`), and their input is dropped. Privacy
 * mode ends
 *
 * - when its user or an admin ends it, or another user starts it with the admin token,
 * - after the session's maximum time, unless its user renews it after the warning,
 * - when its user leaves, or stays away for {@link PRIVACY_AWAY_MS} after their connection broke,
 * - when its user, if not an admin, loses control of the browser or the role `privacy`,
 * - when control is handed to another user.
 */
export class PrivacyMode {
  #current: Current | undefined;
  #timer: Timer | undefined;
  #away: Timer | undefined;
  /** Time before which only admins may start privacy mode. */
  #pauseUntil = -Infinity;

  /**
   * @param limit maximum duration in milliseconds; null for none
   * @param onReveal called with each viewer who may see the browser again and needs the whole picture
   */
  constructor(
    private readonly roster: Roster,
    private readonly limit: number | null,
    private readonly onReveal: (viewer: Viewer) => void,
    private readonly clock: Clock = systemClock,
  ) {
    roster.privacyOf = (userId) => this.#describe(userId);
  }

  /** The user in privacy mode. */
  get owner(): string | undefined {
    return this.#current?.userId;
  }

  /**
   * Starts or renews privacy mode for a viewer. Throws {@link CallError}.
   *
   * @param admin true if the call came with the admin token
   */
  enable(viewer: Viewer, admin: boolean): void {
    const { userId } = viewer;
    if (this.owner === userId) return this.#renew(admin);
    if (!admin) this.#requireRight(viewer);
    this.#finish('other');
    const now = this.clock.now();
    const until = this.limit === null ? null : now + this.limit;
    const times = { since: now, startedAt: this.clock.date(), until };
    this.#current = { userId, ...times, renewals: 0, ending: false };
    this.#watch();
    this.#apply(userId);
  }

  /**
   * Ends privacy mode because of a call. Throws {@link CallError}.
   *
   * @param viewer the calling user; undefined for a backend
   */
  disable(viewer: Viewer | undefined, admin: boolean): void {
    if (this.owner === undefined) return;
    const own = viewer?.userId === this.owner;
    if (!own && !admin) throw forbidden('Only the user in privacy mode, or an admin, may end it.');
    this.end(own ? 'own' : 'other');
  }

  /** Ends privacy mode. Notifies its user if `by` is `other`. */
  end(by: End = 'other'): void {
    if (this.#finish(by)) this.#apply(undefined);
  }

  /** Ends privacy mode if its user may not use it any more. Call it after a change of rights or control. */
  check(): void {
    const viewer = this.owner === undefined ? undefined : this.roster.viewer(this.owner);
    // While the user is away, the timer of {@link PRIVACY_AWAY_MS} ends privacy mode.
    if (!viewer || viewer.admin) return;
    if (!canUse(viewer, 'privacy') || !this.roster.controls(viewer.userId)) this.end();
  }

  /** Notifies a viewer that joins, before the viewer gets any picture. */
  greet(viewer: Viewer): void {
    if (this.owner === undefined) return;
    if (!viewer.shutOut) this.#away?.cancel();
    viewer.send(this.#notice());
  }

  /**
   * Handles a user whose last connection has ended.
   *
   * @param meant true if the user left on purpose; false if the connection broke
   */
  left(userId: string, meant: boolean): void {
    if (userId !== this.owner) return;
    if (meant) this.end();
    else this.#away = this.clock.setTimeout(() => this.end(), PRIVACY_AWAY_MS);
  }

  close(): void {
    this.#timer?.cancel();
    this.#away?.cancel();
  }

  #requireRight(viewer: Viewer): void {
    if (this.owner !== undefined)
      throw forbidden('Another user is in privacy mode. Wait until it ends, or ask an admin to end it.');
    if (!canUse(viewer, 'privacy'))
      throw forbidden("This needs the role privacy, or the session's admin token.");
    if (!this.roster.controls(viewer.userId))
      throw forbidden('Only a user who currently controls the browser, or an admin, may start privacy mode.');
    const wait = this.#pauseUntil - this.clock.now();
    if (wait > 0)
      throw tooOften(`Privacy mode ended a moment ago. It can begin again in ${Math.ceil(wait / 1000)} s.`);
  }

  /** Restarts the maximum time if the user was warned. Does nothing before the warning. */
  #renew(admin: boolean): void {
    const current = this.#current;
    if (!current?.ending || this.limit === null) return;
    if (!admin && current.renewals >= MAX_RENEWALS)
      throw tooOften(
        `Privacy mode was already renewed ${MAX_RENEWALS} times. It ends soon, and then the other users get the browser back.`,
      );
    current.renewals += 1;
    current.until = this.clock.now() + this.limit;
    current.ending = false;
    this.#watch();
    this.#apply(current.userId);
  }

  /** Sets the timer for the warning. After the warning, sets the timer for the end of privacy mode. */
  #watch(): void {
    this.#timer?.cancel();
    const current = this.#current;
    if (!current || current.until === null) return;
    const left = current.until - this.clock.now();
    const wait = current.ending ? left : Math.max(left - WARNING_MS, left / 2);
    const onTime = () => {
      if (current.ending) {
        this.end();
        return;
      }
      current.ending = true;
      this.roster.viewer(current.userId)?.send(this.#notice());
      this.#watch();
    };
    // The maximum duration of privacy mode can be a year.
    this.#timer = longTimeout(this.clock, onTime, wait);
  }

  /** Clears the state. Returns true if privacy mode was active. */
  #finish(by: End): boolean {
    const current = this.#current;
    if (!current) return false;
    this.close();
    const now = this.clock.now();
    this.#pauseUntil = now + Math.min(Math.max(now - current.since, PAUSE_MS.min), PAUSE_MS.max);
    this.#current = undefined;
    if (by !== 'own') this.roster.viewer(current.userId)?.send(NOTICES.privacyEnded);
    return true;
  }

  /** Shows the browser only to the users who may see it, and notifies all users. */
  #apply(owner: string | undefined): void {
    const changed = new Set([this.roster.control.alone, owner]);
    this.roster.control.alone = owner;
    for (const viewer of this.roster.viewers()) {
      const wasShutOut = viewer.shutOut;
      viewer.shutOut = this.roster.control.shutsOut(viewer.userId);
      viewer.send(this.#notice());
      if (wasShutOut && !viewer.shutOut) this.onReveal(viewer);
    }
    const users = [...this.roster.viewers()].map(({ user }) => user);
    this.roster.settle(users.filter(({ id }) => changed.has(id)));
  }

  #describe(userId: string): { since: string; until: string | null } | undefined {
    const current = this.#current;
    if (current?.userId !== userId) return undefined;
    const { startedAt, until, since } = current;
    const end = until === null ? null : new Date(startedAt.getTime() + until - since);
    return { since: startedAt.toISOString(), until: end?.toISOString() ?? null };
  }

  #notice(): PrivacyNotice {
    const current = this.#current;
    if (!current) return { type: 'privacy', userId: null };
    const { userId, since, until, ending } = current;
    const now = this.clock.now();
    return {
      ...{ type: 'privacy', userId, elapsed: Math.round(now - since) },
      remaining: until === null ? null : Math.max(0, Math.round(until - now)),
      ...(ending && { ending }),
    };
  }
}

function forbidden(message: string): CallError {
  return new CallError('err_forbidden', message);
}

function tooOften(message: string): CallError {
  return new CallError('err_privacy_limit', message);
}
