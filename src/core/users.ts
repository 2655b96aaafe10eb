import type { PeerPointer, Permissions, Role, SessionUser } from '../protocol/index.js';
import type { Remote } from './remote.js';

/** Events about the users of a session, and their arguments. */
export interface UserEvents {
  /** Somebody has come. For admins. */
  joined: [user: SessionUser];
  /** Somebody has left. For admins. */
  left: [user: SessionUser];
  /** Roles, permissions or control of a user are others now. Admins hear of all users, everybody else of himself. */
  changed: [user: SessionUser];
  /** Another user points elsewhere, at most once a frame. For users with the role `cursor_data`; nothing comes without it. */
  pointer: [pointer: PeerPointer];
  /** That user points nowhere any more. As `pointer`. */
  pointerLeft: [userId: string];
  /** A user asks for control. For admins, and for the user who alone controls. */
  controlRequested: [user: SessionUser];
}

const NAMES: Record<keyof UserEvents, string> = {
  joined: 'users.onJoined',
  left: 'users.onLeft',
  changed: 'users.onChanged',
  pointer: 'users.onPointer',
  pointerLeft: 'users.onPointerLeft',
  controlRequested: 'control.onRequested',
};

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
  async list(): Promise<SessionUser[]> {
    return (await this.#remote.call('users.list')) as SessionUser[];
  }

  /** This client's own user. */
  async me(): Promise<SessionUser> {
    return (await this.#remote.call('users.me')) as SessionUser;
  }

  /** Changes permissions; what is left out stays. `control_disabled: false` gives the role `control` too. For admins. */
  async setPermissions(userId: string, permissions: Partial<Permissions>): Promise<void> {
    await this.#remote.call('setPermissions', [userId, permissions]);
  }

  /** Gives roles to these users; with `exclusive` to everybody but them. For admins. */
  async addRoles(userIds: readonly string[], roles: readonly Role[], exclusive = false): Promise<void> {
    await this.#remote.call('addRoles', [userIds, roles, exclusive]);
  }

  /** Takes roles from these users; with `exclusive` from everybody but them. For admins. */
  async removeRoles(userIds: readonly string[], roles: readonly Role[], exclusive = false): Promise<void> {
    await this.#remote.call('removeRoles', [userIds, roles, exclusive]);
  }

  /** Disconnects a user, who may come back only as a new one. For admins. */
  async kick(userId: string): Promise<void> {
    await this.#remote.call('kick', [userId]);
  }

  /** Asks for control; those who can give it get `controlRequested`. */
  async requestControl(): Promise<void> {
    await this.#remote.call('control.request');
  }

  /**
   * Hands control to a connected user, who then goes before all priorities; null: the priorities decide again. For admins,
   * and for the user who alone controls, who may give it to users who may control.
   */
  async giveControl(userId: string | null): Promise<void> {
    await this.#remote.call('control.give', [userId]);
  }

  /** Hands control to this client's own user. For admins. */
  async takeControl(): Promise<void> {
    await this.#remote.call('control.take');
  }

  /**
   * Takes the browser for this user alone: the others see and do nothing until `disablePrivacyMode()`, or until this user
   * leaves. For users who control now, and for admins.
   */
  async enablePrivacyMode(): Promise<void> {
    await this.#remote.call('enablePrivacyMode');
  }

  /** Gives the browser back to all. For the user who has it alone, and for admins. */
  async disablePrivacyMode(): Promise<void> {
    await this.#remote.call('disablePrivacyMode');
  }

  /** Listens to an event, over reconnects too. Resolves, when the session agrees, to what ends it. */
  async on<Name extends keyof UserEvents>(
    name: Name,
    listener: (...args: UserEvents[Name]) => void,
  ): Promise<() => void> {
    const told = (...args: unknown[]): void => listener(...(args as UserEvents[Name]));
    await this.#remote.subscribe(NAMES[name], told);
    return () => this.#remote.unsubscribe(NAMES[name], told);
  }
}
