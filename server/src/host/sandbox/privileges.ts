import type { HostPlace } from '../../host-protocol.js';
import { becomeUser } from '../../platform/become-user.js';

/**
 * Becomes the session's user permanently. Called after all modules are loaded, because that user may not be
 * able to read them, and before the first external message is handled. Afterwards the kernel also denies this
 * user's other processes access to this one: a process that changed its UID cannot be traced by processes of
 * its new UID.
 */
export function dropPrivileges(place: HostPlace): void {
  if (place.uid === undefined || place.gid === undefined) return;
  becomeUser(place.uid, place.gid);
}
