import type { Permissions, Role } from 'cloud-browser/protocol';
import type { ViewerHandover } from '../../../host-protocol.js';

/** What one user may do. */
export interface Rights {
  permissions: Permissions;
  roles: ReadonlySet<Role>;
}

/** The rights of somebody who may look at nothing and touch nothing for now. */
export const NO_RIGHTS: Rights = {
  permissions: { priority: 0, idle_timeout: 0, control_disabled: true },
  roles: new Set(),
};

/**
 * What a user may do at first: the session's defaults, and over them what the customer's endpoint said of this user. A user
 * from whom it expressly does not withhold control has it, also where users have none by default.
 */
export function firstRights(
  { controlDisabled, roles }: Pick<ViewerHandover, 'controlDisabled' | 'roles'>,
  said: Partial<Permissions>,
): Rights {
  return withPermissions(
    {
      permissions: { priority: 0, idle_timeout: 0, control_disabled: controlDisabled },
      roles: new Set(roles),
    },
    said,
  );
}

/**
 * Rights with other permissions; what is left out stays. To say that control is not disabled is to give it, so the role comes
 * along.
 */
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

/** Whether somebody has a role, such as `chrome_apis`. */
export function hasRole({ roles }: Rights, role: Role): boolean {
  return roles.has(role);
}

/** Whether a user's mouse, keyboard and fingers count, as long as nobody pre-empts them. */
export function mayControl({ permissions, roles }: Rights): boolean {
  return !permissions.control_disabled && roles.has('control');
}
