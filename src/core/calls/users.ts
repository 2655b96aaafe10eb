import type { Role, SessionEvents } from '../../protocol/index.js';
import { RemoteMethods } from './remote.js';
import type { RemoteListener } from './subscriptions.js';

/** The session's events about users, by their names in {@link Users.on}. */
const EVENTS = {
  joined: 'users.onJoined',
  left: 'users.onLeft',
  changed: 'users.onChanged',
  pointer: 'users.onPointer',
  pointerLeft: 'users.onPointerLeft',
  controlRequested: 'control.onRequested',
} as const;

/** Events about the users of a session, with their arguments. See {@link SessionEvents}. */
export type UserEvents = { [Name in keyof typeof EVENTS]: SessionEvents[(typeof EVENTS)[Name]] };

/**
 * The users of the session: who is connected, their permissions, and who has control. Methods for admins need
 * `remote.adminToken`. Every method rejects as `Remote.call` does. The codes of its `CallError` are for
 * example `err_forbidden` for missing rights, `err_user_not_found` for an unknown user, and
 * `err_invalid_parameter` for an invalid value.
 */
export class Users extends RemoteMethods {
  /** Returns all connected users, in the order in which they joined. For admins. */
  readonly list = this.method('users.list');
  /** Returns this client's own user. */
  readonly me = this.method('users.me');
  /**
   * Changes permissions. Omitted permissions stay unchanged. `control_disabled: false` also gives the role
   * `control`. For admins.
   */
  readonly setPermissions = this.method('setPermissions');
  /** Disconnects a user. The user can come back only as a new user. For admins. */
  readonly kick = this.method('kick');
  /** Requests control. Users who can give it receive `controlRequested`. */
  readonly requestControl = this.method('control.request');
  /**
   * Gives control to a connected user, independent of priorities. With null, the priorities decide again.
   * Admins can give control to any user. A user who alone has control can give it to users with the role
   * `control`.
   */
  readonly giveControl = this.method('control.give');
  /** Gives control to this client's own user. For admins. */
  readonly takeControl = this.method('control.take');
  /**
   * Starts privacy mode: only this user sees and controls the browser. Privacy mode ends with
   * `disablePrivacyMode()`, when this user leaves or loses control, or at the session's time limit for
   * privacy mode. Before the time limit, the client's event `privacy` warns with `ending`. Then another call
   * of this method renews privacy mode. For users with the role `privacy` who have control now, and for
   * admins. For users who are not admins, rejects with `err_privacy_limit` if privacy mode ended a moment
   * ago, or if they have already renewed it twice.
   */
  readonly enablePrivacyMode = this.method('enablePrivacyMode');
  /** Ends privacy mode. For the user in privacy mode, and for admins. */
  readonly disablePrivacyMode = this.method('disablePrivacyMode');

  /** Gives roles to these users. With `exclusive`, gives them to all other users. For admins. */
  addRoles(userIds: readonly string[], roles: readonly Role[], exclusive = false): Promise<void> {
    return this.remote.call('addRoles', [userIds, roles, exclusive]);
  }

  /** Removes roles from these users. With `exclusive`, removes them from all other users. For admins. */
  removeRoles(userIds: readonly string[], roles: readonly Role[], exclusive = false): Promise<void> {
    return this.remote.call('removeRoles', [userIds, roles, exclusive]);
  }

  /**
   * Adds a listener for an event. The listener stays after a reconnect. When the session has accepted the
   * subscription, resolves to a function that removes the listener. Without a connection, resolves at once
   * and subscribes later.
   */
  async on<Name extends keyof UserEvents>(
    name: Name,
    listener: RemoteListener<(typeof EVENTS)[Name]>,
  ): Promise<() => void> {
    // Wraps the listener, so that a caller may add the same listener twice and remove one of them.
    const told: typeof listener = (...args) => listener(...args);
    await this.remote.subscribe(EVENTS[name], told);
    return () => this.remote.unsubscribe(EVENTS[name], told);
  }
}
