import type { HostPlace } from '../../host-protocol.js';
import { becomeUser } from '../../platform/process/become-user.js';

/**
 * Becomes the session's user permanently. Called after all modules are loaded, because that user may not be
 * able to read them. Called before the first external message is handled. After the switch, other processes
 * of this user cannot access this process, because the kernel forbids tracing a process that has changed its
 * UID.
 */
export function dropPrivileges(place: HostPlace): void {
  if (place.uid === undefined || place.gid === undefined) return;
  becomeUser(place.uid, place.gid);
}
