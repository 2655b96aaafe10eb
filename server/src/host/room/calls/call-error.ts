import { ProtocolError, type CallErrorCode, type CallFailure, type PageDialog } from 'cloud-browser/protocol';

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

/** A page asks something, and does nothing until that is answered. */
export function dialogOpen(type: PageDialog['type']): CallError {
  return new CallError(
    'err_dialog_open',
    `The page has a dialog open (${type}). Answer it by dialogs.answer, or use tabs.update with force: true.`,
  );
}

/** As many pages are open as may be. */
export function tooManyTabs(most: number): CallError {
  return new CallError(
    'err_too_many_tabs',
    `This session has ${most} tabs at most. Close one by tabs.remove.`,
  );
}

/** A page is busy without end. */
export function pageUnresponsive(): CallError {
  return new CallError(
    'err_page_unresponsive',
    'The page does not answer. End it by tabs.update with force: true, or close it by tabs.remove.',
  );
}

/** What a caller is told of an error. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof CallError) return { code: error.code, message: error.message };
  if (error instanceof ProtocolError) return { code: 'err_invalid_parameter', message: error.message };
  return { code: 'err_call_failed', message: error instanceof Error ? error.message : String(error) };
}
