import type { HostPlace } from '../../host-protocol.js';
import { becomeUser } from '../../platform/process/become-user.js';

/**
 * Becomes the session's user permanently. Call this after all modules are loaded, because that user may not
 * be able to read them. Call it before the first message from outside is handled. After the switch, other
 * processes of this user cannot access this process, because the kernel forbids tracing a process that has
 * changed its UID.
 */
export function dropPrivileges(place: HostPlace): void {
  if (place.uid === undefined || place.gid === undefined) return;
  becomeUser(place.uid, place.gid);
}
