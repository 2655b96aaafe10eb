import { ROLES, type Role } from 'cloud-browser/protocol';
import { quotedAll, type Warnings } from './warnings.js';

/** Returns the roles of a list, each once. An unknown role grants nothing: it is left out, with a warning. */
export function knownRoles(field: string, names: readonly string[], warnings: Warnings): Role[] {
  const unknown = names.filter((name) => !isRole(name));
  if (unknown.length > 0)
    warnings.push(`${field} names roles that do not exist here and grant nothing: ${quotedAll(unknown)}.`);
  return [...new Set(names.filter(isRole))];
}

function isRole(name: string): name is Role {
  return (ROLES as readonly string[]).includes(name);
}
