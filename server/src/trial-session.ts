import type { HostSession } from './host-protocol.js';
import { spareSession } from './launch-key.js';
import { hostSessionOf } from './sessions/settings/host-session.js';
import { DEFAULT_SETTINGS, NO_SECRETS } from './sessions/settings/session-settings.js';

/** Session of a trial start: the default settings and an empty page. No caller can open it. */
export function trialSession(): HostSession {
  return spareSession(hostSessionOf('trial', DEFAULT_SETTINGS, NO_SECRETS, ''));
}
