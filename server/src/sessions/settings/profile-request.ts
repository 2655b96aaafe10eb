import { ServiceError } from '../../service-error.js';
import { isSessionId } from '../session-id.js';

/** How a customer asks for a profile. */
export type ProfileRequest =
  boolean | string | { load?: string | undefined; save?: boolean | string | undefined };

/** Which profile a session loads and which it saves, by their ids; null: none. */
export interface ProfileUse {
  load: string | null;
  save: string | null;
}

/**
 * What a customer meant: `true` makes a new profile, an id loads and updates that one, an object says both. A new profile
 * has the id of the session that made it. Throws {@link ServiceError} `err_invalid_parameter`.
 */
export function profileUseOf(wish: ProfileRequest, sessionId: string): ProfileUse {
  if (typeof wish === 'boolean') return { load: null, save: wish ? sessionId : null };
  if (typeof wish === 'string') {
    const id = profileId('profile', wish);
    return { load: id, save: id };
  }
  const load = wish.load === undefined ? null : profileId('profile.load', wish.load);
  if (typeof wish.save === 'string') return { load, save: profileId('profile.save', wish.save) };
  return { load, save: wish.save ? sessionId : null };
}

function profileId(field: string, text: string): string {
  const id = text.trim().toLowerCase();
  if (!isSessionId(id))
    throw new ServiceError(
      'err_invalid_parameter',
      field,
      'the session_id of a session that saved a profile',
    );
  return id;
}
