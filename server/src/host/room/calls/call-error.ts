import { ProtocolError, type CallErrorCode, type CallFailure, type PageDialog } from 'cloud-browser/protocol';
import { CLIENT_GONE } from '../../../host-protocol.js';

/** Error of a call that was refused, or that failed for a reason that the caller should know. */
export class CallError extends Error {
  constructor(
    readonly code: CallErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'CallError';
  }
}

/** Returns the error for a browser that ended and is being restarted. */
export function browserUnavailable(): CallError {
  const message = 'The browser is being started again. Try again in a moment.';
  return new CallError('err_browser_unavailable', message);
}

/** Returns the error for a page that is blocked by its open dialog. */
export function dialogOpen(type: PageDialog['type']): CallError {
  return new CallError(
    'err_dialog_open',
    `The page has a dialog open (${type}). Answer it: programs use dialog, the SDK uses dialogs.answer. Or send force: true with the address.`,
  );
}

/** Returns the error for a tab beyond the maximum number. */
export function tooManyTabs(most: number): CallError {
  return new CallError(
    'err_too_many_tabs',
    `This session can have at most ${most} tabs. Close one with tabs.remove.`,
  );
}

/** Returns the error for a page that does not answer. */
export function pageUnresponsive(): CallError {
  return new CallError(
    'err_page_unresponsive',
    'The page does not answer. If it is large or busy, try again. To leave it, send force: true with the address, or close the tab.',
  );
}

/** Returns the error for a node that the tree does not have, or whose page does not answer. */
export function nodeGone(node: number): CallError {
  const message = `There is no node e${node} any more, or its page does not answer. Read the text of the page again.`;
  return new CallError('err_node_gone', message);
}

/** Returns the error for a page whose process has crashed. */
export function pageCrashed(): CallError {
  return new CallError(
    'err_page_unresponsive',
    'The page has crashed. To load it again, use tabs with the action reload, or open its address.',
  );
}

/** Returns the error for a call whose client has gone before the call began. */
export function clientGone(): CallError {
  return new CallError('err_call_failed', CLIENT_GONE);
}

/** Returns the error for a call of an agent that has left the session. */
export function agentGone(): CallError {
  return new CallError('err_agent_gone', 'The agent has left the session. Connect again.');
}

/** Returns the error for a program that may not see the browser. */
export function inPrivacyMode(): CallError {
  return new CallError('err_forbidden', 'Another user is in privacy mode. Try again when it ends.');
}

/** Returns the error for a user whose roles have no effect during another user's privacy mode. */
export function rolesRest(): CallError {
  const message = 'Another user is in privacy mode. Your roles apply again when it ends.';
  return new CallError('err_forbidden', message);
}

/** Returns the error for an agent without the right to control. */
export function needsControl(): CallError {
  const needed = 'This needs the role control, and control_disabled must be false.';
  const instead =
    'Name the role in automation.roles when you create the session, or let an admin allow control. Without it, read with screenshots or the accessibility text.';
  return new CallError('err_forbidden', `${needed} ${instead}`);
}

/** Returns the error that a caller receives. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof CallError) return { code: error.code, message: error.message };
  if (error instanceof ProtocolError) return { code: 'err_invalid_parameter', message: error.message };
  return { code: 'err_call_failed', message: error instanceof Error ? error.message : String(error) };
}
