import {
  NO_OTHER_CLAIMS,
  type LostProfile,
  type ProfileClaims,
  type UnsavedProfile,
} from '../../server/src/sessions/profiles/profile-claims.js';

/** Claims of machines that are away, which an operator gives up one by one. */
export function claimsOf(...left: UnsavedProfile[]): ProfileClaims {
  let onLost: (lost: LostProfile) => Promise<void> = () => Promise.resolve();
  return {
    ...NO_OTHER_CLAIMS,
    start: async (listener) => void (onLost = listener),
    unsaved: async () => [...left],
    giveUp: async (profile) => {
      const index = left.findIndex((unsaved) => unsaved.profile === profile);
      const [given] = index < 0 ? [] : left.splice(index, 1);
      if (!given) return false;
      const owner = { sessionId: given.sessionId ?? '', webhook: { url: 'http://hook', bearer: 'b' } };
      await onLost({ profile, owner, cause: 'given_up' });
      return true;
    },
  };
}

/** Data for a profile that a node has which is away. */
export function unsavedOn(node: string, profile: string): UnsavedProfile {
  return {
    profile,
    sessionId: `session-of-${profile}`,
    node,
    nodeName: `name-of-${node}`,
    since: new Date(0),
  };
}
