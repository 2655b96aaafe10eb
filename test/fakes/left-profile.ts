import type { LeftProfile } from '../../server/src/sessions/profile-claims.js';

/** A profile that a session of a service without a database has left. */
export function leftProfile(profile: string, sessionId = 'session'): LeftProfile {
  return { profile, owner: { sessionId, webhook: null }, claimed: false };
}
