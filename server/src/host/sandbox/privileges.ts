import type { HostPlace } from '../../host-protocol.js';

/**
 * Becomes the session's user for good. Called when all modules are loaded, since they may lie where that user cannot
 * read, and before the first message from outside is taken. Afterwards the kernel also refuses this user's other
 * processes any look into this one: a process that changed its UID cannot be traced by its new peers.
 */
export function dropPrivileges(place: HostPlace): void {
  if (place.uid === undefined || place.gid === undefined) return;
  process.setgroups?.([place.gid]);
  process.setgid?.(place.gid);
  process.setuid?.(place.uid);
  if (process.getuid?.() === 0 || process.geteuid?.() === 0)
    throw new Error('The session host is still root.');
}
