import type { CallErrorCode } from 'cloud-browser/protocol';

/** Error code of the session, or of the connection to it. */
export type HostCallCode = CallErrorCode | 'err_call_timeout' | 'err_session_terminated';

/** A session did not perform the caller's request. The message is for the caller. */
export class HostCallError extends Error {
  constructor(
    readonly code: HostCallCode,
    message: string,
  ) {
    super(message);
    this.name = 'HostCallError';
  }
}
