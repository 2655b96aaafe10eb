import type { UserPermissions, ViewerHandover } from '../../host-protocol.js';

/** What one viewer may do. */
export interface Rights {
  permissions: UserPermissions;
  roles: ReadonlySet<string>;
}

/**
 * What a viewer may do at first: the session's defaults, and over them what the customer's endpoint said of this user. A user
 * from whom it expressly does not withhold control has it, also where viewers have none by default.
 */
export function firstRights(
  { controlDisabled, roles }: Pick<ViewerHandover, 'controlDisabled' | 'roles'>,
  said: Partial<UserPermissions>,
): Rights {
  return {
    permissions: { priority: 0, idleTimeout: 0, controlDisabled, ...said },
    roles: new Set(said.controlDisabled === false ? [...roles, 'control'] : roles),
  };
}

/** Whether a viewer's mouse, keyboard and fingers count. */
export function mayControl({ permissions, roles }: Rights): boolean {
  return !permissions.controlDisabled && roles.has('control');
}

export function hasRole({ roles }: Rights, role: string): boolean {
  return roles.has(role);
}
