import type { Permissions, Role } from 'cloud-browser/protocol';
import type { ViewerHandover } from '../../../host-protocol.js';

/** What one user may do. */
export interface Rights {
  permissions: Permissions;
  roles: ReadonlySet<Role>;
}

/** The rights of a user who may see nothing and do nothing for now. */
export const NO_RIGHTS: Rights = {
  permissions: { priority: 0, idle_timeout: 0, control_disabled: true },
  roles: new Set(),
};

/**
 * The rights of a new user: the session's defaults, and over them what the customer's endpoint said of this user. When it
 * says expressly that control is not disabled, the user has control, also where users have none by default.
 */
export function firstRights(
  { controlDisabled, roles }: Pick<ViewerHandover, 'controlDisabled' | 'roles'>,
  said: Partial<Permissions>,
): Rights {
  const permissions = { priority: 0, idle_timeout: 0, control_disabled: controlDisabled };
  return withPermissions({ permissions, roles: new Set(roles) }, said);
}

/** Rights with other permissions; what is left out stays. To say that control is not disabled adds the role `control`. */
export function withPermissions({ permissions, roles }: Rights, change: Partial<Permissions>): Rights {
  return {
    permissions: { ...permissions, ...change },
    roles: change.control_disabled === false ? new Set<Role>([...roles, 'control']) : roles,
  };
}

/** Rights with these roles added, or taken away. */
export function withRoles({ permissions, roles }: Rights, changed: readonly Role[], held: boolean): Rights {
  const kept = [...roles].filter((role) => !changed.includes(role));
  return { permissions, roles: new Set(held ? [...kept, ...changed] : kept) };
}

/** Whether a user has a role, such as `chrome_apis`. */
export function hasRole({ roles }: Rights, role: Role): boolean {
  return roles.has(role);
}

/** Whether a user's input counts while no other user pre-empts them. */
export function mayControl({ permissions, roles }: Rights): boolean {
  return !permissions.control_disabled && roles.has('control');
}
