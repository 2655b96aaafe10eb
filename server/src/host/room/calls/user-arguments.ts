import { readPermissions, ROLES, type MethodArgs, type Permissions, type Role } from 'cloud-browser/protocol';
import { wrong } from './arguments.js';

/** Maximum length of an id. No real id is longer. */
const MAX_ID_CHARS = 128;
/** Maximum number of user ids in a call. A call may also name users without a connection. */
const MAX_USERS = 1_000;

/** Checks the untrusted arguments of methods about users. All throw `CallError` or `ProtocolError`. */

/** Returns the id of a user. */
export function userIdOf(value: unknown, name = 'user_id'): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_CHARS)
    throw wrong(name, 'the id of a user');
  return value;
}

function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

/** Checks the arguments of `addRoles` and `removeRoles`. */
export function roleChangeOf(args: readonly unknown[]): MethodArgs<'addRoles'> {
  const [ids, roles, exclusive = false] = args;
  if (!Array.isArray(ids) || ids.length > MAX_USERS)
    throw wrong('The first argument', `a list of at most ${MAX_USERS} user ids`);
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === 'string'))
    throw wrong('The second argument', `a list of roles out of ${ROLES.join(', ')}`);
  if (exclusive !== null && typeof exclusive !== 'boolean')
    throw wrong('The third argument, exclusive,', 'true or false');
  // A client may send roles that this version does not have. They grant nothing, so they are ignored.
  const known = new Set(roles.filter(isRole));
  return [ids.map((id: unknown) => userIdOf(id, 'Each user id')), [...known], exclusive === true];
}

/** Returns a change of permissions. */
export function permissionsOf(value: unknown): Partial<Permissions> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('The second argument', 'an object with priority, idle_timeout or control_disabled');
  return readPermissions(value);
}
