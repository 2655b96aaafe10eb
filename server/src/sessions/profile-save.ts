import { CodedError } from '../platform/coded-error.js';

/** A profile is larger than the limit. Trying again does not help. */
export class ProfileTooLargeError extends CodedError {
  readonly code = 'err_profile_too_large';

  constructor(maxBytes: number) {
    super(`The profile has more than ${maxBytes} bytes. MAX_PROFILE_MB allows larger ones.`);
  }
}

/** The data of a session must not be saved any more: an operator gave it up while its machine was away. */
export class ProfileGoneError extends CodedError {
  readonly code = 'err_profile_gone';

  constructor(profile: string) {
    super(
      `The data that a session left for the profile ${profile} was given up while this machine was away.`,
    );
  }
}
