import { ERROR_CODES, ServiceError, type ErrorCode } from '../service-error.js';
import type { HostCallError } from '../sessions/host-call-error.js';

/** What a session refused, as an answer: with its own code where that is a part of the API, and in its own words. */
export function hostRefusal({ code, message }: HostCallError): ServiceError {
  const known = ERROR_CODES.find((each) => each === code) ?? 'err_call_failed';
  return new ServiceError<ErrorCode>(known, message);
}
