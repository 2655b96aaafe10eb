import type { Permissions, Role } from 'cloud-browser/protocol';
import { VIEW_ROLES, type AdmittedBy, type ViewerHandover } from '../../../host-protocol.js';

/** The rights of one user. */
export interface Rights {
  permissions: Permissions;
  roles: ReadonlySet<Role>;
  /** Roles that count only while the permission `control_disabled` is false. */
  tied: ReadonlySet<Role>;
}

/** Default rights of every new user of a session. */
export type FirstRights = Pick<ViewerHandover, 'controlDisabled' | 'roles' | 'tiedRoles'>;

/**
 * Returns the rights of a new user: the session's defaults, with the answer of the customer's endpoint
 * applied. If the answer sets `control_disabled` to false, the user gets the role `control`, even if it is
 * not a default role.
 */
export function firstRights(session: FirstRights, said: Partial<Permissions>): Rights {
  const { roles, tiedRoles } = session;
  return withPermissions(
    { permissions: defaultPermissions(session), roles: new Set(roles), tied: new Set(tiedRoles) },
    said,
  );
}

/**
 * Returns the rights of a returning user after a new answer of the endpoint. The values of the new answer
 * apply. A value that only the earlier answer contained changes back to the session's default. If an admin
 * has changed the value since then, it stays.
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

/**
 * Returns rights with changed permissions. Omitted permissions stay unchanged. Setting `control_disabled` to
 * false adds the role `control`.
 */
export function withPermissions(rights: Rights, change: Partial<Permissions>): Rights {
  const { roles, tied } = rights;
  const gains = change.control_disabled === false && !tied.has('control');
  return {
    ...rights,
    permissions: { ...rights.permissions, ...change },
    roles: gains ? new Set<Role>([...roles, 'control']) : roles,
  };
}

/** Returns rights with these roles added or removed. */
export function withRoles(rights: Rights, changed: readonly Role[], held: boolean): Rights {
  const without = (roles: ReadonlySet<Role>) => [...roles].filter((role) => !changed.includes(role));
  const { permissions, roles, tied } = rights;
  return held
    ? { permissions, roles: new Set([...without(roles), ...changed]), tied }
    : { permissions, roles: new Set(without(roles)), tied: new Set(without(tied)) };
}

/**
 * Roles that a user with a token of the scope `view` can have. They do not allow any action on the browser.
 */
const ROLES_OF_VIEW: ReadonlySet<Role> = new Set(VIEW_ROLES);

/** Returns rights within the scope of the token that admitted their user. */
export function withinScope(rights: Rights, token: Pick<AdmittedBy, 'scope'> | undefined): Rights {
  if (token?.scope !== 'view') return rights;
  const { permissions, roles } = rights;
  return {
    permissions: { ...permissions, control_disabled: true },
    roles: new Set([...roles].filter((role) => ROLES_OF_VIEW.has(role))),
    tied: new Set(),
  };
}

/** Returns the roles that count now. */
export function rolesOf({ permissions, roles, tied }: Rights): ReadonlySet<Role> {
  return permissions.control_disabled ? roles : new Set([...roles, ...tied]);
}

/** True if a user has a role, such as `chrome_apis`. */
export function hasRole({ permissions, roles, tied }: Rights, role: Role): boolean {
  return roles.has(role) || (!permissions.control_disabled && tied.has(role));
}

/** True if a user may control the browser while no user with a higher priority does. */
export function mayControl(rights: Rights): boolean {
  return !rights.permissions.control_disabled && hasRole(rights, 'control');
}

function defaultPermissions({ controlDisabled }: FirstRights): Permissions {
  return { priority: 0, idle_timeout: 0, control_disabled: controlDisabled };
}
