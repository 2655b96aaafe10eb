import type { MethodArgs } from 'cloud-browser/protocol';
import type { KnownUsers, User } from '../users/known-users.js';
import { withPermissions, withRoles } from '../users/rights.js';
import type { Roster } from '../users/roster.js';
import { forAdmins, forAll, viewerOf } from './access.js';
import { CallError } from './call-error.js';
import type { Calls } from './calls.js';

/** Makes the methods and events known by which admins rule users. */
export function addUserCalls(
  calls: Calls,
  people: Roster,
  users: KnownUsers,
  /** Sends a user away for good. */
  kick: (user: User) => void,
): void {
  const changeRoles = ([ids, roles, exclusive]: MethodArgs<'addRoles'>, held: boolean): void => {
    const named = new Set(ids.map((id) => knownUser(users, id)));
    const meant = exclusive ? [...users.all()].filter((user) => !named.has(user)) : named;
    if (!held && roles.includes('control')) endHandover(people, meant);
    people.change(meant, (rights) => withRoles(rights, roles, held));
  };

  calls.add('users.list', forAdmins, () => people.list());
  calls.add('users.me', forAll, (_args, caller) => people.describe(viewerOf(caller).user));
  calls.add('setPermissions', forAdmins, ([id, change]) => {
    const user = knownUser(users, id);
    if (change.control_disabled === true) endHandover(people, [user]);
    people.change([user], (rights) => withPermissions(rights, change));
  });
  calls.add('addRoles', forAdmins, (args) => changeRoles(args, true));
  calls.add('removeRoles', forAdmins, (args) => changeRoles(args, false));
  calls.add('kick', forAdmins, ([id]) => kick(knownUser(users, id)));

  calls.addEvent('users.onJoined', forAdmins);
  calls.addEvent('users.onLeft', forAdmins);
  // Others than admins hear of themselves alone.
  calls.addEvent('users.onChanged', forAll);
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
