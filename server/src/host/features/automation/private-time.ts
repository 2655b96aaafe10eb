import type { BrowserLink } from './browser-link.js';
import { isRecord } from '../../../platform/is-record.js';
import { CallError } from '../../room/calls/call-error.js';
import { paramsOf, RefusedCommand, refusalText, type ClientCommand } from './commands/messages.js';

const REASON =
  'Another user is in privacy mode, so programs cannot use the page. Try again when privacy mode has ended.';

/** Methods by which a program continues or ends a paused network request. */
const REQUEST_ENDINGS = new Set([
  'Fetch.continueRequest',
  'Fetch.continueResponse',
  'Fetch.failRequest',
  'Fetch.fulfillRequest',
]);

/** Maximum length of the id of a network request, in characters. Chromium's own ids are shorter. */
const MAX_ID_CHARS = 128;

/** Properties of targets and contexts that reveal which page a user has opened. */
const PRIVATE_TEXTS = ['url', 'title', 'origin'];

/** Removes the addresses and titles of pages from the text of an event about targets or contexts. */
export function withoutPage(text: string): string {
  const message: unknown = JSON.parse(text);
  const { targetInfo, context } = paramsOf(message);
  for (const part of [targetInfo, context]) {
    if (!isRecord(part)) continue;
    for (const name of PRIVATE_TEXTS) if (typeof part[name] === 'string') part[name] = '';
  }
  return JSON.stringify(message);
}

/**
 * Continues a network request that Chromium has paused for the program. During another user's privacy mode,
 * and without the role `control`, the program cannot continue the request, because it does not receive the
 * event. Does nothing for all other events.
 *
 * @param event an event of a page that the program does not receive
 */
export function letGo(link: Pick<BrowserLink, 'post'>, event: string, text: string, sessionId: string): void {
  if (event !== 'Fetch.requestPaused' && event !== 'Fetch.authRequired') return;
  const { requestId } = paramsOf(JSON.parse(text));
  if (event === 'Fetch.authRequired') continueAuth(link, requestId, sessionId);
  else continueRequest(link, requestId, sessionId);
}

/**
 * Continues a network request, or the start of a target, if the refused command would have continued it.
 * Without this, the page could wait forever. Ignores changes that the command requests, such as another body
 * of the response.
 *
 * @param command a command that was refused because of privacy mode, or because the program lacks a role
 */
export function letGoInstead(
  link: Pick<BrowserLink, 'post'>,
  { method, params, sessionId }: ClientCommand,
): void {
  if (sessionId === undefined) return;
  if (method === 'Runtime.runIfWaitingForDebugger') link.post(method, {}, sessionId);
  const { requestId } = params;
  if (typeof requestId !== 'string' || requestId.length > MAX_ID_CHARS) return;
  if (REQUEST_ENDINGS.has(method)) continueRequest(link, requestId, sessionId);
  if (method === 'Fetch.continueWithAuth') continueAuth(link, requestId, sessionId);
}

function continueRequest(link: Pick<BrowserLink, 'post'>, requestId: unknown, sessionId: string): void {
  link.post('Fetch.continueRequest', { requestId }, sessionId);
}

function continueAuth(link: Pick<BrowserLink, 'post'>, requestId: unknown, sessionId: string): void {
  const authChallengeResponse = { response: 'Default' };
  link.post('Fetch.continueWithAuth', { requestId, authChallengeResponse }, sessionId);
}

/** Returns the error for a command during another user's privacy mode. */
export function privateTime(): RefusedCommand {
  return new RefusedCommand('refused', REASON);
}

/** True if a command was refused because of another user's privacy mode. */
export function isPrivateTime(error: unknown, canRead: boolean): boolean {
  if (error instanceof RefusedCommand) return error.message === REASON;
  // A command that waited for control when privacy mode began is refused with this error.
  return !canRead && lacksRight(error);
}

/** True if a command was refused because the program lacks a role. */
export function lacksRight(error: unknown): boolean {
  return error instanceof CallError && error.code === 'err_forbidden';
}

/** Returns the answer to a command during another user's privacy mode. */
export function privateAnswer(command: ClientCommand): string {
  return refusalText(command, REASON);
}
