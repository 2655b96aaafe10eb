import type { Permissions, Role, SessionEvents, SessionUser } from '../protocol/index.js';
import type { Remote } from './remote.js';
import type { RemoteListener } from './subscriptions.js';

/** The session's events about users, by what {@link Users.on} calls them. */
const EVENTS = {
  joined: 'users.onJoined',
  left: 'users.onLeft',
  changed: 'users.onChanged',
  pointer: 'users.onPointer',
  pointerLeft: 'users.onPointerLeft',
  controlRequested: 'control.onRequested',
} as const;

/** Events about the users of a session, and their arguments; see {@link SessionEvents}. */
export type UserEvents = { [Name in keyof typeof EVENTS]: SessionEvents[(typeof EVENTS)[Name]] };

/**
 * The users of the session: who is here, what they may do, who controls. What only admins may needs `remote.adminToken`.
 * Every method rejects as `Remote.call` does: `CallError` with the code `err_forbidden` when the session refuses,
 * `err_user_not_found` for a user that it does not know, `err_invalid_parameter` for a value that cannot be.
 */
export class Users {
  readonly #remote: Remote;

  constructor(remote: Remote) {
    this.#remote = remote;
  }

  /** Everybody who is connected, in the order in which they came. For admins. */
  list(): Promise<SessionUser[]> {
    return this.#remote.call('users.list');
  }

  /** This client's own user. */
  me(): Promise<SessionUser> {
    return this.#remote.call('users.me');
  }

  /** Changes permissions; what is left out stays. `control_disabled: false` gives the role `control` too. For admins. */
  setPermissions(userId: string, permissions: Partial<Permissions>): Promise<void> {
    return this.#remote.call('setPermissions', [userId, permissions]);
  }

  /** Gives roles to these users; with `exclusive` to everybody but them. For admins. */
  addRoles(userIds: readonly string[], roles: readonly Role[], exclusive = false): Promise<void> {
    return this.#remote.call('addRoles', [userIds, roles, exclusive]);
  }

  /** Takes roles from these users; with `exclusive` from everybody but them. For admins. */
  removeRoles(userIds: readonly string[], roles: readonly Role[], exclusive = false): Promise<void> {
    return this.#remote.call('removeRoles', [userIds, roles, exclusive]);
  }

  /** Disconnects a user, who may come back only as a new one. For admins. */
  kick(userId: string): Promise<void> {
    return this.#remote.call('kick', [userId]);
  }

  /** Asks for control; those who can give it get `controlRequested`. */
  requestControl(): Promise<void> {
    return this.#remote.call('control.request');
  }

  /**
   * Hands control to a connected user, who then goes before all priorities; null: the priorities decide again. For admins,
   * and for the user who alone controls, who may give it to users who may control.
   */
  giveControl(userId: string | null): Promise<void> {
    return this.#remote.call('control.give', [userId]);
  }

  /** Hands control to this client's own user. For admins. */
  takeControl(): Promise<void> {
    return this.#remote.call('control.take');
  }

  /**
   * Takes the browser for this user alone: the others see and do nothing until `disablePrivacyMode()`, or until this user
   * leaves. For users who control now, and for admins.
   */
  enablePrivacyMode(): Promise<void> {
    return this.#remote.call('enablePrivacyMode');
  }

  /** Gives the browser back to all. For the user who has it alone, and for admins. */
  disablePrivacyMode(): Promise<void> {
    return this.#remote.call('disablePrivacyMode');
  }

  /** Listens to an event, over reconnects too. Resolves, when the session agrees, to what ends it. */
  async on<Name extends keyof UserEvents>(
    name: Name,
    listener: RemoteListener<(typeof EVENTS)[Name]>,
  ): Promise<() => void> {
    // A function of its own: somebody may listen twice and stop once.
    const told: typeof listener = (...args) => listener(...args);
    await this.#remote.subscribe(EVENTS[name], told);
    return () => this.#remote.unsubscribe(EVENTS[name], told);
  }
}
