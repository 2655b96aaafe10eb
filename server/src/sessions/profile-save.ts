import { CodedError } from '../platform/coded-error.js';

/** A profile has grown beyond what is kept. Trying again does not help. */
export class ProfileTooLargeError extends CodedError {
  readonly code = 'err_profile_too_large';

  constructor(maxBytes: number) {
    super(`The profile has more than ${maxBytes} bytes. MAX_PROFILE_MB allows larger ones.`);
  }
}
