import type { CallErrorCode } from 'cloud-browser/protocol';

/** A code of the session, or of the way to it. */
export type HostCallCode = CallErrorCode | 'err_call_timeout' | 'err_session_terminated';

/** A session did not carry out what it was asked for. The sentence is for whoever asked. */
export class HostCallError extends Error {
  constructor(
    readonly code: HostCallCode,
    message: string,
  ) {
    super(message);
    this.name = 'HostCallError';
  }
}
