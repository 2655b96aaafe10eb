import type { HostPlace } from '../../host-protocol.js';
import { becomeUser } from '../../platform/become-user.js';

/**
 * Becomes the session's user for good. Called when all modules are loaded, since they may lie where that user cannot
 * read, and before the first message from outside is taken. Afterwards the kernel also refuses this user's other
 * processes any look into this one: a process that changed its UID cannot be traced by its new peers.
 */
export function dropPrivileges(place: HostPlace): void {
  if (place.uid === undefined || place.gid === undefined) return;
  becomeUser(place.uid, place.gid);
}
