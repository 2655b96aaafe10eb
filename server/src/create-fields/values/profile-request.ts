import { invalidParameter } from '../../service-error.js';

/** A UUID in lower case. */
const SESSION_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Form of the creation field `profile`. */
export type ProfileRequest = boolean | string | { load?: string; save?: boolean | string };

/** Ids of the profiles that a session loads and saves. Null: none. */
export interface ProfileUse {
  load: string | null;
  save: string | null;
}

/** Profiles that a request chooses, before the session has an id. */
export interface ProfileChoice {
  load: string | null;
  /** True for a new profile, which gets the id of the session. */
  save: string | true | null;
}

/**
 * Returns the profiles of a request. The value `true` saves a new profile. An id loads this profile and saves
 * to it. An object sets `load` and `save` separately. Throws {@link ServiceError} `err_invalid_parameter`.
 */
export function profileChoiceOf(request: ProfileRequest): ProfileChoice {
  if (typeof request === 'boolean') return { load: null, save: request || null };
  if (typeof request === 'string') {
    const id = profileId('profile', request);
    return { load: id, save: id };
  }
  const load = request.load === undefined ? null : profileId('profile.load', request.load);
  if (typeof request.save === 'string')
    return { load, save: profileId('profile.save', request.save, 'true, false, or ') };
  return { load, save: request.save || null };
}

/** Returns the ids of the profiles that a session loads and saves. */
export const profileUseOf = ({ load, save }: ProfileChoice, sessionId: string): ProfileUse => ({
  load,
  save: save === true ? sessionId : save,
});

/** @param others other valid values, for the message of the error */
function profileId(field: string, text: string, others = ''): string {
  const id = text.trim().toLowerCase();
  if (!SESSION_ID.test(id))
    throw invalidParameter(field, `${others}the session_id of a session that saved a profile`);
  return id;
}
