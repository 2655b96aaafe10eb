import type { MethodArgs } from 'cloud-browser/protocol';
import type { KnownUsers, User } from '../users/known-users.js';
import { withPermissions, withRoles, mayControl } from '../users/rights.js';
import type { Roster } from '../users/roster.js';
import { forAdmins, forAll, viewerOf } from './access.js';
import type { Viewer } from '../viewer.js';
import { CallError } from './call-error.js';
import type { Calls } from './calls.js';
import type { Privacy } from '../users/privacy.js';

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

/** Makes the methods known by which control goes from hand to hand, and privacy mode. */
export function addControlCalls(calls: Calls, people: Roster, users: KnownUsers, privacy: Privacy): void {
  const { control } = people;
  const handOver = (to: string | undefined): void => {
    control.holder = to;
    people.settle();
  };

  calls.addEvent('control.onRequested', forAll);
  calls.add('control.request', forAll, (_args, caller) => {
    const { user } = viewerOf(caller);
    const sole = people.soleController();
    const mayGive = ({ admin, userId }: Viewer) => admin || userId === sole;
    calls.publish('control.onRequested', [people.describe(user)], mayGive);
  });
  calls.add('control.give', forAll, ([id], caller) => {
    const to = id === null ? undefined : knownUser(users, id);
    if (!caller.admin) {
      const isSole = caller.viewer && people.soleController() === caller.viewer.userId;
      if (!isSole) throw forbidden('Only an admin, and the user who alone controls, may give control.');
      if (!to || !mayControl(to.rights))
        throw forbidden('You may give control to users who may have it. An admin may give it to all.');
    }
    if (to && !people.viewer(to.id))
      throw new CallError('err_user_away', `The user ${to.id} is not connected now.`);
    handOver(to?.id);
  });
  calls.add('control.take', forAdmins, (_args, caller) => handOver(viewerOf(caller).userId));

  calls.add('enablePrivacyMode', forAll, (_args, caller) => {
    const { userId } = viewerOf(caller);
    const taken = privacy.owner !== undefined && privacy.owner !== userId;
    if (!caller.admin && (taken || !people.controls(userId)))
      throw forbidden('Only a user who controls the browser now, or an admin, may have it alone.');
    privacy.set(userId);
  });
  calls.add('disablePrivacyMode', forAll, (_args, caller) => {
    if (!caller.admin && privacy.owner !== undefined && viewerOf(caller).userId !== privacy.owner)
      throw forbidden('Only the user who has the browser alone, or an admin, may end that.');
    privacy.set(undefined);
  });
}

function forbidden(message: string): CallError {
  return new CallError('err_forbidden', message);
}
