import type { MethodArgs } from 'cloud-browser/protocol';
import type { KnownUsers, User } from '../users/known-users.js';
import { canUse } from '../users/can-use.js';
import { withPermissions, withRoles } from '../users/rights.js';
import type { Roster } from '../users/roster.js';
import { forAdmins, forAll, viewerOf } from './access.js';
import type { Viewer } from '../viewers/viewer.js';
import { noArguments } from './arguments.js';
import { CallError } from './call-error.js';
import { WORK } from './call-lane.js';
import { permissionsOf, roleChangeOf, userIdOf } from './user-arguments.js';
import type { Calls } from './calls.js';

const userOf = ([id]: readonly unknown[]): [string] => [userIdOf(id)];
/**
 * Returns the id of the user who gets control. Null ends a hand-over of control, so that priorities decide
 * again.
 */
const receiverOf = ([id]: readonly unknown[]): [string | null] => [
  id === undefined || id === null ? null : userIdOf(id),
];
const changeOf = ([id, permissions]: readonly unknown[]): MethodArgs<'setPermissions'> => [
  userIdOf(id),
  permissionsOf(permissions),
];

/** Registers the methods and events with which admins manage users. */
export function addUserCalls(
  calls: Calls,
  people: Roster,
  users: KnownUsers,
  /** Removes a user from the session. */
  kick: (user: User) => void,
): void {
  const changeRoles = ([ids, roles, exclusive]: MethodArgs<'addRoles'>, held: boolean): void => {
    const named = new Set(ids.map((id) => knownUser(users, id)));
    const meant = exclusive ? [...users.all()].filter((user) => !named.has(user)) : named;
    if (!held && roles.includes('control')) endHandover(people, meant);
    people.change(meant, (rights) => withRoles(rights, roles, held));
    if (held && exclusive && ![...named].some(({ agent }) => agent)) people.onRolesForAll(roles);
  };

  calls.add('users.list', { access: forAdmins, check: noArguments }, () => people.list());
  calls.add('users.me', { access: forAll, check: noArguments }, (_args, caller) =>
    people.describe(viewerOf(caller).user),
  );
  calls.add('setPermissions', { access: forAdmins, check: changeOf }, ([id, change]) => {
    const user = knownUser(users, id);
    if (change.control_disabled === true) endHandover(people, [user]);
    people.change([user], (rights) => withPermissions(rights, change));
  });
  calls.add('addRoles', { access: forAdmins, check: roleChangeOf }, (args) => changeRoles(args, true));
  calls.add('removeRoles', { access: forAdmins, check: roleChangeOf }, (args) => changeRoles(args, false));
  calls.add('kick', { access: forAdmins, check: userOf }, ([id]) => kick(knownUser(users, id)));

  calls.addEvent('users.onJoined', forAdmins);
  calls.addEvent('users.onLeft', forAdmins);
  // Users without the admin token get only events about themselves.
  calls.addEvent('users.onChanged', forAll);
}

/** Returns a user that the session knows, connected or away. Throws {@link CallError} for an unknown id. */
export function knownUser(users: KnownUsers, id: string): User {
  const user = users.get(id);
  if (!user) throw new CallError('err_user_not_found', `There is no user ${id} in this session.`);
  return user;
}

/**
 * Ends a hand-over of control if one of these users has received it. Called when an admin takes control away
 * from them.
 */
function endHandover({ control }: Roster, of: Iterable<User>): void {
  for (const { id } of of) if (control.holder === id) control.holder = undefined;
}

/**
 * Registers the methods that hand over control.
 *
 * @param onGive called before a user gets control
 */
export function addControlCalls(
  calls: Calls,
  people: Roster,
  users: KnownUsers,
  onGive: (userId: string) => void,
): void {
  const { control } = people;
  const handOver = (to: string | undefined): void => {
    if (to !== undefined) onGive(to);
    // Persons who have acted exclude agents for a while. Giving control to an agent ends that.
    if (to !== undefined && users.get(to)?.agent) control.yieldToAgents();
    control.holder = to;
    people.settle();
  };

  calls.addEvent('control.onRequested', forAll);
  calls.add('control.request', { access: forAll, check: noArguments, cost: WORK }, (_args, caller) => {
    const { user } = viewerOf(caller);
    const sole = people.soleController();
    const mayGive = ({ admin, userId }: Viewer) => admin || userId === sole;
    calls.publish('control.onRequested', [people.describe(user)], mayGive);
  });
  calls.add('control.give', { access: forAll, check: receiverOf }, ([id], caller) => {
    const to = id === null ? undefined : knownUser(users, id);
    if (!caller.admin) {
      const isSole = caller.viewer && people.soleController() === caller.viewer.userId;
      if (!isSole)
        throw forbidden('Only an admin, or a user who is the only one in control, may give control.');
      if (!to || !canUse({ admin: false, shutOut: false, rights: to.rights }, 'control'))
        throw forbidden(
          'You may give control only to users who are allowed to control. An admin may give it to any user.',
        );
    }
    if (to?.token?.scope === 'view')
      throw forbidden('This user has a token with the scope view, so they can only watch.');
    if (to && !people.isHere(to.id))
      throw new CallError('err_user_away', `The user ${to.id} is not connected now.`);
    handOver(to?.id);
  });
  calls.add('control.take', { access: forAdmins, check: noArguments }, (_args, caller) =>
    handOver(viewerOf(caller).userId),
  );
}

function forbidden(message: string): CallError {
  return new CallError('err_forbidden', message);
}
