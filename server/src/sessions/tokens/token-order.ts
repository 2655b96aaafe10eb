import type { Role } from 'cloud-browser/protocol';
import { knownRoles } from '../../create-fields/values/roles.js';
import type { Warnings } from '../../create-fields/warnings.js';
import { VIEW_ROLES, type TokenScope } from '../../host-protocol.js';
import { invalidParameter } from '../../service-error.js';
import type { Grant } from './grant.js';
import type { TokenOrder } from './issued-tokens.js';

/** Request for a token. The schema has already checked its single fields. */
export interface TokenRequest {
  scope: TokenScope;
  ttl: number;
  roles?: readonly string[] | undefined;
  user_id?: string | undefined;
  name?: string | undefined;
}

/**
 * Completes a request for a token. If a client creates a token with an issued admin token, the new token ends
 * together with the admin token. So a client cannot use a short-lived admin token to get a token that lives
 * longer. Throws `ServiceError`.
 *
 * @param by rights of the caller. Undefined: the caller has an API key
 */
export function tokenOrderOf(request: TokenRequest, by: Grant | undefined, warnings: Warnings): TokenOrder {
  const { scope, ttl, user_id: userId, name } = request;
  if (scope === 'admin' && (request.roles ?? userId) !== undefined)
    throw invalidParameter(request.roles ? 'roles' : 'user_id', 'absent for the scope admin');
  return { scope, ttl, roles: rolesOf(request, warnings), userId, name, parent: by?.tokenId };
}

function rolesOf({ scope, roles }: TokenRequest, warnings: Warnings): readonly Role[] | undefined {
  if (roles === undefined) return undefined;
  const known = knownRoles('roles', roles, warnings);
  const allowed: readonly Role[] = VIEW_ROLES;
  if (scope === 'view' && known.some((role) => !allowed.includes(role)))
    throw invalidParameter('roles', `empty or ${allowed.join(', ')} for the scope view`);
  return known;
}
