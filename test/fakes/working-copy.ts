import type { ProfileWorkingCopy } from '../../server/src/sessions/profiles/profile-claims.js';

/** A profile that a session has left, in a service without a database. */
export function workingCopyOf(profile: string, sessionId = 'session'): ProfileWorkingCopy {
  return { profile, owner: { sessionId, webhook: null }, claimed: false };
}
