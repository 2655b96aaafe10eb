import type { ViewerHandover } from '../../host-protocol.js';
import type { SessionSettings } from '../settings/session-settings.js';
import type { Grant } from './grant.js';

/** Initial rights of a viewer, as its host receives them. */
export type ViewerRights = Pick<ViewerHandover, 'auth' | 'controlDisabled' | 'roles' | 'tiedRoles' | 'token'>;

/**
 * Returns the initial rights of a viewer. Without an issued token, these are the rights in the session's
 * settings. If the session has an authorization endpoint, the endpoint then decides about the viewer. A
 * viewer with an issued token is granted access, because the customer's backend requested that token.
 */
export function viewerRights(settings: SessionSettings, grant: Grant): ViewerRights {
  const { controlDisabled, roles, tiedRoles, auth } = settings;
  const { tokenId, scope, name } = grant;
  if (tokenId === undefined)
    return { auth: auth === 'webhook' ? 'ask' : 'granted', controlDisabled, roles, tiedRoles };
  const token = { tokenId, scope, name, fixesUser: grant.userId !== undefined };
  const common = { auth: 'granted', tiedRoles: [], token } as const;
  if (scope === 'view') return { ...common, controlDisabled: true, roles: grant.roles ?? [] };
  const given = grant.roles ?? [...roles, ...tiedRoles];
  return { ...common, controlDisabled: false, roles: [...new Set([...given, 'control' as const])] };
}
