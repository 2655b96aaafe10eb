import { CodedError } from '../../platform/coded-error.js';

/** A profile is larger than the limit. A retry does not help. */
export class ProfileTooLargeError extends CodedError {
  readonly code = 'err_profile_too_large';

  constructor(maxBytes: number) {
    super(`The profile has more than ${maxBytes} bytes. Increase MAX_PROFILE_MB to allow it.`);
  }
}

/**
 * The data of a session must not be saved any more, because an operator has discarded it while its machine
 * had no contact.
 */
export class ProfileGoneError extends CodedError {
  readonly code = 'err_profile_gone';

  constructor(profile: string) {
    super(
      `An operator has discarded the data of a session for the profile ${profile} while this machine was away.`,
    );
  }
}
