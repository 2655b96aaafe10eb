import type { Role } from 'cloud-browser/protocol';
import type { Clock } from '../../platform/clock.js';
import { hasRole } from '../room/users/rights.js';
import type { Viewer } from '../room/viewer.js';

/** A user without a connection has lost the network, or left: what they sent or fetched goes on for as long. Milliseconds. */
export const GRACE_MS = 10_000;

/** The users of the session, as far as files are concerned; see `Roster`. */
export interface People {
  viewer(id: string): Viewer | undefined;
  viewers(): Iterable<Viewer>;
  /** Whether a user's input counts now. */
  controls(id: string): boolean;
}

/** Whom an upload, or a fetched download, belongs to. */
export class Holder {
  #seen: number;

  /** @param admin they have shown the admin token */
  constructor(
    private viewer: Viewer,
    private readonly role: Role,
    private readonly admin: boolean,
    private readonly people: () => Pick<People, 'viewer'> | undefined,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.#seen = clock.now();
  }

  /** The user's connection, the newest one that is known. */
  get connection(): Viewer {
    return this.viewer;
  }

  /** Whether they may go on at this moment. To be asked again and again. */
  get may(): boolean {
    const here = this.people()?.viewer(this.viewer.userId);
    if (here?.user !== this.viewer.user)
      return !this.viewer.sentAway && this.clock.now() - this.#seen < GRACE_MS;
    this.viewer = here;
    this.#seen = this.clock.now();
    return !here.shutOut && (this.admin || hasRole(here.rights, this.role));
  }

  /** Whether this user is the same as another connection's. */
  is(viewer: Viewer): boolean {
    return this.viewer.user === viewer.user;
  }
}

/** Whether a connection has a role, or has shown the admin token. */
export function mayHave(viewer: Viewer, role: Role): boolean {
  return !viewer.shutOut && (viewer.admin || hasRole(viewer.rights, role));
}
