import { CodedError } from '../../platform/coded-error.js';

/** A profile is larger than the limit. A retry does not help. */
export class ProfileTooLargeError extends CodedError {
  readonly code = 'err_profile_too_large';

  constructor(maxBytes: number) {
    super(`The profile has more than ${maxBytes} bytes. Increase MAX_PROFILE_MB to allow it.`);
  }
}

/**
 * An operator has discarded the data of a session while its machine had no contact with the cluster. So the
 * data must not be saved.
 */
export class ProfileGoneError extends CodedError {
  readonly code = 'err_profile_gone';

  constructor(profile: string) {
    super(
      `An operator has discarded the data of a session for the profile ${profile} while this machine was away.`,
    );
  }
}
