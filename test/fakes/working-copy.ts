import type { ProfileWorkingCopy } from '../../server/src/sessions/profiles/profile-claims.js';

/** A profile that a session of a service without a database has left. */
export function workingCopyOf(profile: string, sessionId = 'session'): ProfileWorkingCopy {
  return { profile, owner: { sessionId, webhook: null }, claimed: false };
}
