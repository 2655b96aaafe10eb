import type { Role, SessionEvents } from '../protocol/index.js';
import { RemoteMethods } from './remote.js';
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
export class Users extends RemoteMethods {
  /** Everybody who is connected, in the order in which they came. For admins. */
  readonly list = this.method('users.list');
  /** This client's own user. */
  readonly me = this.method('users.me');
  /** Changes permissions; what is left out stays. `control_disabled: false` gives the role `control` too. For admins. */
  readonly setPermissions = this.method('setPermissions');
  /** Disconnects a user, who may come back only as a new one. For admins. */
  readonly kick = this.method('kick');
  /** Asks for control; those who can give it get `controlRequested`. */
  readonly requestControl = this.method('control.request');
  /**
   * Hands control to a connected user, who then goes before all priorities; null: the priorities decide again. For admins,
   * and for the user who alone controls, who may give it to users who may control.
   */
  readonly giveControl = this.method('control.give');
  /** Hands control to this client's own user. For admins. */
  readonly takeControl = this.method('control.take');
  /**
   * Takes the browser for this user alone: the others see and do nothing until `disablePrivacyMode()`, or until this user
   * leaves. For users who control now, and for admins.
   */
  readonly enablePrivacyMode = this.method('enablePrivacyMode');
  /** Gives the browser back to all. For the user who has it alone, and for admins. */
  readonly disablePrivacyMode = this.method('disablePrivacyMode');

  /** Gives roles to these users; with `exclusive` to everybody but them. For admins. */
  addRoles(userIds: readonly string[], roles: readonly Role[], exclusive = false): Promise<void> {
    return this.remote.call('addRoles', [userIds, roles, exclusive]);
  }

  /** Takes roles from these users; with `exclusive` from everybody but them. For admins. */
  removeRoles(userIds: readonly string[], roles: readonly Role[], exclusive = false): Promise<void> {
    return this.remote.call('removeRoles', [userIds, roles, exclusive]);
  }

  /** Listens to an event, over reconnects too. Resolves, when the session agrees, to what ends it. */
  async on<Name extends keyof UserEvents>(
    name: Name,
    listener: RemoteListener<(typeof EVENTS)[Name]>,
  ): Promise<() => void> {
    // A function of its own: somebody may listen twice and stop once.
    const told: typeof listener = (...args) => listener(...args);
    await this.remote.subscribe(EVENTS[name], told);
    return () => this.remote.unsubscribe(EVENTS[name], told);
  }
}
