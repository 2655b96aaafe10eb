import type { HostSession } from '../host-protocol.js';
import type { SessionSecrets, SessionSettings } from './session-settings.js';

/** What the host of a session is told of it. */
export function hostSessionOf(
  sessionId: string,
  settings: SessionSettings,
  secrets: SessionSecrets,
): HostSession {
  const { tenantId, tag, startUrlUnset, controlDisabled, roles, timeout, auth, profile, ...browser } =
    settings;
  return {
    ...browser,
    sessionId,
    httpProxy: secrets.httpProxy,
    extension: secrets.extension,
    restoreTabs: startUrlUnset && profile.load !== null,
    keepProfile: profile.save !== null,
  };
}
