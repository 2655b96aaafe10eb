/**
 * What a session answers to calls beside the service's own codes, with the HTTP status of each. Codes are part of the public
 * API and never change their meaning.
 */
const STATUSES = {
  err_user_not_found: 404,
  err_chrome: 400,
  err_address_not_allowed: 400,
  err_call_failed: 400,
  err_browser_unavailable: 503,
  err_call_timeout: 504,
} as const;

/** Every code of such an answer. */
export const CALL_ERROR_CODES = Object.keys(STATUSES);

/** The HTTP status of a call that a session refused or could not carry out. */
export function statusOfCall(code: string): number {
  return (STATUSES as Record<string, number>)[code] ?? 400;
}
