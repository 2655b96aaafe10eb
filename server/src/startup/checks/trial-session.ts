import type { HostSession } from '../../host-protocol.js';
import { warmSession } from '../../launch-key.js';
import { hostSessionOf } from '../../sessions/settings/host-session.js';
import { DEFAULT_SETTINGS } from '../../sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../sessions/settings/session-settings.js';

/**
 * Returns the session for a trial start. A successful trial start shows that sessions start on this machine.
 * The session has the default settings and an empty page, and no caller can open it.
 */
export function trialSession(): HostSession {
  return warmSession(hostSessionOf('trial', DEFAULT_SETTINGS, NO_SECRETS, ''));
}
