import type { Permissions, Role } from 'cloud-browser/protocol';
import type { ViewerHandover } from '../../../host-protocol.js';

/** What one user may do. */
export interface Rights {
  permissions: Permissions;
  roles: ReadonlySet<Role>;
  /** Roles that count as long as control is not disabled, and rest while it is. */
  tied: ReadonlySet<Role>;
}

/** The rights of a user who may see nothing and do nothing for now. */
export const NO_RIGHTS: Rights = {
  permissions: { priority: 0, idle_timeout: 0, control_disabled: true },
  roles: new Set(),
  tied: new Set(),
};

/** What a session gives to every new user. */
export type FirstRights = Pick<ViewerHandover, 'controlDisabled' | 'roles' | 'tiedRoles'>;

/**
 * The rights of a new user: the session's defaults, and over them what the customer's endpoint said of this user. When it
 * says expressly that control is not disabled, the user has control, also where users have none by default.
 */
export function firstRights(session: FirstRights, said: Partial<Permissions>): Rights {
  const { roles, tiedRoles } = session;
  return withPermissions(
    { permissions: defaultPermissions(session), roles: new Set(roles), tied: new Set(tiedRoles) },
    said,
  );
}

/**
 * The rights of a user who comes back and of whom the endpoint says something new. That counts; where it is silent on what it
 * said last time, the session's default does, unless an admin has changed that since.
 */
export function returningRights(
  rights: Rights,
  session: FirstRights,
  saidBefore: Partial<Permissions>,
  said: Partial<Permissions>,
): Rights {
  const untouched = Object.entries(defaultPermissions(session)).filter(([name]) => {
    const key = name as keyof Permissions;
    return saidBefore[key] !== undefined && saidBefore[key] === rights.permissions[key];
  });
  const permissions = { ...rights.permissions, ...Object.fromEntries(untouched) };
  return withPermissions({ ...rights, permissions }, said);
}

/** Rights with other permissions; what is left out stays. To say that control is not disabled adds the role `control`. */
export function withPermissions(rights: Rights, change: Partial<Permissions>): Rights {
  const { roles, tied } = rights;
  const gains = change.control_disabled === false && !tied.has('control');
  return {
    ...rights,
    permissions: { ...rights.permissions, ...change },
    roles: gains ? new Set<Role>([...roles, 'control']) : roles,
  };
}

/** Rights with these roles added, or taken away. */
export function withRoles(rights: Rights, changed: readonly Role[], held: boolean): Rights {
  const without = (roles: ReadonlySet<Role>) => [...roles].filter((role) => !changed.includes(role));
  const { permissions, roles, tied } = rights;
  return held
    ? { permissions, roles: new Set([...without(roles), ...changed]), tied }
    : { permissions, roles: new Set(without(roles)), tied: new Set(without(tied)) };
}

/** The roles that count at this moment. */
export function rolesOf({ permissions, roles, tied }: Rights): ReadonlySet<Role> {
  return permissions.control_disabled ? roles : new Set([...roles, ...tied]);
}

/** Whether a user has a role, such as `chrome_apis`. */
export function hasRole({ permissions, roles, tied }: Rights, role: Role): boolean {
  return roles.has(role) || (!permissions.control_disabled && tied.has(role));
}

/** Whether a user's input counts while no other user pre-empts them. */
export function mayControl(rights: Rights): boolean {
  return !rights.permissions.control_disabled && hasRole(rights, 'control');
}

function defaultPermissions({ controlDisabled }: FirstRights): Permissions {
  return { priority: 0, idle_timeout: 0, control_disabled: controlDisabled };
}
