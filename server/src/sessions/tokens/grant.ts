import type { Role } from 'cloud-browser/protocol';
import type { TokenScope } from '../../host-protocol.js';

/** Rights of a client with a valid token of a session. */
export interface Grant {
  readonly scope: TokenScope;
  /** Roles of the client's user. Undefined: the roles that the session gives. */
  readonly roles?: readonly Role[] | undefined;
  /** Id of the client's user. Undefined: each connection gets a new id. */
  readonly userId?: string | undefined;
  /** Name of the client's user. */
  readonly name?: string | undefined;
  /**
   * Id of the token. Undefined for the tokens that the session has from its start, because these never end.
   */
  readonly tokenId?: string | undefined;
  /** Time at which the token expires, RFC 3339, UTC. */
  readonly expires?: string | undefined;
}
