import { ROLES, type Role } from 'cloud-browser/protocol';
import { expected } from '../expected.js';
import { quotedAll, type Warnings } from '../warnings.js';

/**
 * Default roles of viewers. `privacy` is among them because existing applications call `enablePrivacyMode`
 * without giving users a role. The time limit of privacy mode, and the pause after this time, prevent abuse.
 */
export const DEFAULT_ROLES: readonly Role[] = ['chrome_apis', 'resize', 'control', 'privacy'];

/** Option of a schema: describes a list of roles in error messages. */
export const ROLE_LIST = expected(`a list of roles out of ${ROLES.join(', ')}`);
/** Option of a schema: describes an item of such a list in error messages. */
export const ONE_ROLE = expected(`one of the roles ${ROLES.join(', ')}`);

/**
 * Returns the known roles of a list, each once. Adds a warning for the unknown roles, which grant nothing.
 */
export function knownRoles(field: string, names: readonly string[], warnings: Warnings): Role[] {
  const unknown = names.filter((name) => !isRole(name));
  if (unknown.length > 0)
    warnings.push(`${field} names roles that do not exist here and grant nothing: ${quotedAll(unknown)}.`);
  return [...new Set(names.filter(isRole))];
}

function isRole(name: string): name is Role {
  return (ROLES as readonly string[]).includes(name);
}
