import { ProtocolError, type CallErrorCode, type CallFailure } from 'cloud-browser/protocol';

/** A call that is refused, or fails in a way that the caller is to know. */
export class CallError extends Error {
  constructor(
    readonly code: CallErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'CallError';
  }
}

/** The browser ended, and is being started again. */
export function browserUnavailable(): CallError {
  const message = 'The browser is being started again. Try again in a moment.';
  return new CallError('err_browser_unavailable', message);
}

/** What a caller is told of an error. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof CallError) return { code: error.code, message: error.message };
  if (error instanceof ProtocolError) return { code: 'err_invalid_parameter', message: error.message };
  return { code: 'err_call_failed', message: error instanceof Error ? error.message : String(error) };
}
