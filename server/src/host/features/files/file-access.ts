import type { Role } from 'cloud-browser/protocol';
import type { Clock } from '../../../platform/time/clock.js';
import type { ActingAgent } from '../../room/calls/access.js';
import { canUse, type RightsHolder } from '../../room/users/can-use.js';
import type { User } from '../../room/users/known-users.js';
import type { Viewer } from '../../room/viewers/viewer.js';

/**
 * Time for which the transfers of a user wait for the user after the connection was lost. A client notices
 * the loss after 8 s at most, then tries for 60 s to connect again, and its last attempt may take 10 s.
 * Milliseconds.
 */
export const RECONNECT_MS = 90_000;

/** The functions of `Roster` that the file services need to find the users of the session. */
export interface UserDirectory {
  viewer(id: string): Viewer | undefined;
  viewers(): Iterable<Viewer>;
  /** True if the session accepts the user's input now. */
  controls(id: string): boolean;
}

/** The user or agent that fetches a download. */
export interface Fetcher {
  /** True if the transfer may continue now. Check it repeatedly. */
  readonly may: boolean;
  /**
   * Called when a transfer of an agent begins. Returns a function that must be called at the end of the
   * transfer. Absent for users.
   */
  begin?(): () => void;
}

/** The user or agent that sends an upload. */
export interface Sender {
  /** True if the transfer may continue now. Check it repeatedly. */
  readonly may: boolean;
  /** The user who sends the upload. Undefined for an agent. */
  readonly user: User | undefined;
}

/** A role for files that a program can have. */
export type FileRole = Extract<Role, 'file_download' | 'file_upload'>;

/** True if an agent may transfer files with this role now. */
export function agentMay(
  agent: Pick<ActingAgent['agent'], 'canRead' | keyof RightsHolder>,
  role: FileRole,
): boolean {
  return agent.canRead && canUse(agent, role);
}

/** Returns an agent as the receiver of a download. The agent stays in the session during a transfer. */
export function fetchingAgent({ agent, stay }: ActingAgent): Fetcher {
  return {
    get may() {
      return agentMay(agent, 'file_download');
    },
    begin: stay,
  };
}

/** The user who sends an upload or fetches a download. */
export class Holder implements Fetcher, Sender {
  #seen: number;

  /** @param admin returns true if the user has sent an admin token that is still valid */
  constructor(
    private viewer: Viewer,
    private readonly role: Role,
    private readonly admin: () => boolean,
    private readonly people: () => Pick<UserDirectory, 'viewer'> | undefined,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.#seen = clock.now();
  }

  /** The user's newest known connection. */
  get connection(): Viewer {
    this.#look();
    return this.viewer;
  }

  /** True if the transfer may continue now. Check it repeatedly. */
  get may(): boolean {
    const away = !this.#look();
    const { viewer } = this;
    if (away && (viewer.sentAway || this.clock.now() - this.#seen >= RECONNECT_MS)) return false;
    const { admin, shutOut, rights } = viewer;
    return canUse({ admin: admin || this.admin(), shutOut, rights }, this.role);
  }

  get user(): User {
    return this.viewer.user;
  }

  /** Returns true if the user is connected now. */
  #look(): boolean {
    const here = this.people()?.viewer(this.viewer.userId);
    if (here?.user !== this.viewer.user) return false;
    this.viewer = here;
    this.#seen = this.clock.now();
    return true;
  }
}
