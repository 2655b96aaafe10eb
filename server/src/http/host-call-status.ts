import type { HostCallCode } from '../sessions/host-call-error.js';

/**
 * What a session answers to the calls of a backend beside the service's own codes, with the HTTP status of each. Other codes
 * of calls go to connected users alone.
 */
const STATUSES: Partial<Record<HostCallCode, number>> = {
  err_user_not_found: 404,
  err_chrome: 400,
  err_address_not_allowed: 400,
  err_call_failed: 400,
  err_dialog_open: 409,
  err_page_unresponsive: 409,
  err_browser_unavailable: 503,
  err_call_timeout: 504,
};

/** Every code of such an answer. */
export const HOST_CALL_CODES = Object.keys(STATUSES);

/** The HTTP status of a call that a session refused or could not carry out. */
export function statusOfCall(code: HostCallCode): number {
  return STATUSES[code] ?? 400;
}
