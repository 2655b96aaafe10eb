import { ringOf } from '../../create-fields/values/recording-request.js';
import type { HostSession } from '../../host-protocol.js';
import { secretHash } from '../../platform/secrets.js';
import type { SessionSecrets, SessionSettings } from './session-settings.js';

/**
 * Returns the settings and secrets that the host of a session receives. The host receives only the hash of
 * `adminToken`.
 */
export function hostSessionOf(
  sessionId: string,
  settings: SessionSettings,
  secrets: SessionSecrets,
  adminToken: string,
): HostSession {
  const { tenantId, tag, startUrlUnset, controlDisabled, roles, tiedRoles, timeout, ...rest } = settings;
  const { auth, profile, record, ...browser } = rest;
  return {
    ...browser,
    sessionId,
    adminTokenHash: secretHash(adminToken),
    httpProxy: secrets.httpProxy,
    extension: secrets.extension,
    restoreTabs: startUrlUnset && profile.load !== null,
    keepProfile: profile.save !== null,
    ring: ringOf(record),
  };
}
