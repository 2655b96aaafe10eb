import type { Role } from 'cloud-browser/protocol';
import type { TokenScope } from '../../host-protocol.js';
import type { Grant } from './grant.js';

/** A token in the record of its session, without its secret. */
export interface TokenRecord {
  id: string;
  /** SHA-256 of the secret, base64url. The secret is random, so the hash does not reveal it. */
  hash: string;
  scope: TokenScope;
  roles?: readonly Role[] | undefined;
  userId?: string | undefined;
  name?: string | undefined;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** RFC 3339, UTC. */
  expires: string;
  /** Id of the admin token that created this token. This token ends at the latest with the admin token. */
  parent?: string | undefined;
}

/** Returns the rights of a client with the token. */
export function grantBy({ id, scope, roles, userId, name, expires }: TokenRecord): Grant {
  return { tokenId: id, scope, roles, userId, name, expires };
}
