import { CallError, type Caller, type CallHandler, type Calls } from './calls.js';
import { permissionChangeOf, roleChangeOf, userIdOf } from './arguments.js';
import { USER_EVENTS, type Roster } from '../users/roster.js';
import { withPermissions, withRoles } from '../users/rights.js';
import type { User, KnownUsers } from '../users/known-users.js';
import type { Viewer } from '../viewer.js';

/** Makes the methods and events known by which admins rule users. */
export function addUserCalls(
  calls: Calls,
  people: Roster,
  users: KnownUsers,
  /** Sends a user away for good. */
  kick: (user: User) => void,
): void {
  const forAdmins = (method: string, handler: CallHandler) =>
    calls.add(method, (args, caller) => {
      requireAdmin(caller);
      return handler(args, caller);
    });
  const changeRoles = (args: unknown[], held: boolean): void => {
    const { ids, roles, exclusive } = roleChangeOf(args);
    const named = new Set(ids.map((id) => knownUser(users, id)));
    const meant = exclusive ? [...users.all()].filter((user) => !named.has(user)) : named;
    if (!held && roles.includes('control')) endHandover(people, meant);
    people.change(meant, (rights) => withRoles(rights, roles, held));
  };

  forAdmins('users.list', () => people.list());
  calls.add('users.me', (_args, caller) => people.describe(viewerOf(caller).user));
  forAdmins('setPermissions', ([id, permissions]) => {
    const user = knownUser(users, userIdOf(id));
    const change = permissionChangeOf(permissions);
    if (change.controlDisabled === true) endHandover(people, [user]);
    people.change([user], (rights) => withPermissions(rights, change));
  });
  forAdmins('addRoles', (args) => changeRoles(args, true));
  forAdmins('removeRoles', (args) => changeRoles(args, false));
  forAdmins('kick', ([id]) => kick(knownUser(users, userIdOf(id))));

  calls.addEvent(USER_EVENTS.joined, requireAdmin);
  calls.addEvent(USER_EVENTS.left, requireAdmin);
  // Others than admins hear of themselves alone.
  calls.addEvent(USER_EVENTS.changed, () => undefined);
}

/** Throws unless the caller holds the admin token. */
export function requireAdmin({ admin }: Caller): void {
  if (!admin) throw new CallError('err_forbidden', 'Only an admin may do this. Set the admin token first.');
}

/** The caller as a user; throws when it is a backend. */
export function viewerOf({ viewer }: Caller): Viewer {
  if (!viewer) throw new CallError('err_viewer_required', 'Only a connected user can do this for himself.');
  return viewer;
}

/** A user that the session has seen, here now or away. */
export function knownUser(users: KnownUsers, id: string): User {
  const user = users.get(id);
  if (!user) throw new CallError('err_user_not_found', `There is no user ${id} in this session.`);
  return user;
}

/** Control that is taken away by name is not kept by a hand-over. */
function endHandover({ control }: Roster, of: Iterable<User>): void {
  for (const { id } of of) if (control.holder === id) control.holder = undefined;
}
