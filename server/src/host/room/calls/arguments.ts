import { PERMISSION_LIMIT, ROLES } from 'cloud-browser/protocol';
import type { UserPermissions } from '../../../host-protocol.js';
import { CallError } from './calls.js';

/** Longer ids exist nowhere. */
const MAX_ID_CHARS = 128;
/** More than can be connected, and enough for those who are away. */
const MAX_USERS = 1_000;

/** Refuses an argument; `name` as the documentation has it. */
export function wrong(name: string, expected: string): CallError {
  return new CallError('err_invalid_parameter', `${name} must be ${expected}.`);
}

/** A user's id. Throws {@link CallError}, as all of these do. */
export function userIdOf(value: unknown, name = 'user_id'): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_CHARS)
    throw wrong(name, 'the id of a user');
  return value;
}

/** The users, the roles, and whether all but these users are meant. */
export function roleChangeOf(args: unknown[]): { ids: string[]; roles: string[]; exclusive: boolean } {
  const [ids, roles, exclusive = false] = args;
  if (!Array.isArray(ids) || ids.length > MAX_USERS)
    throw wrong('The first argument', `a list of at most ${MAX_USERS} user ids`);
  if (!Array.isArray(roles) || !roles.every((role) => (ROLES as readonly unknown[]).includes(role)))
    throw wrong('The second argument', `a list of roles out of ${ROLES.join(', ')}`);
  if (exclusive !== null && typeof exclusive !== 'boolean')
    throw wrong('The third argument, exclusive,', 'true or false');
  return {
    ids: ids.map((id: unknown) => userIdOf(id, 'Each user id')),
    roles: [...new Set(roles as string[])],
    exclusive: exclusive === true,
  };
}

/** The permissions to be changed; what is not named stays as it is, and unknown keys mean nothing. */
export function permissionChangeOf(value: unknown): Partial<UserPermissions> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('The second argument', 'an object with priority, idle_timeout or control_disabled');
  const { priority, idle_timeout, control_disabled } = value as Record<string, unknown>;
  const change: Partial<UserPermissions> = {};
  if (priority !== undefined) change.priority = numberOf(priority, 'priority', -PERMISSION_LIMIT);
  if (idle_timeout !== undefined) change.idleTimeout = numberOf(idle_timeout, 'idle_timeout', 0);
  if (control_disabled !== undefined) {
    if (typeof control_disabled !== 'boolean') throw wrong('control_disabled', 'true or false');
    change.controlDisabled = control_disabled;
  }
  return change;
}

function numberOf(value: unknown, name: string, lowest: number): number {
  if (typeof value !== 'number' || !(value >= lowest && value <= PERMISSION_LIMIT))
    throw wrong(name, `a number from ${lowest} to ${PERMISSION_LIMIT}`);
  return value;
}
