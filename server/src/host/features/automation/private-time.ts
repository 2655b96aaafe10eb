import type { BrowserLink } from './browser-link.js';
import { isRecord } from '../../../platform/is-record.js';

/** Properties of these events that say which page the user has opened. */
const PRIVATE_TEXTS = ['url', 'title', 'origin'];

/** Returns the text of an event about targets or contexts without the addresses and titles of pages. */
export function withoutPage(text: string): string {
  const message: unknown = JSON.parse(text);
  const params = isRecord(message) && isRecord(message['params']) ? message['params'] : {};
  for (const part of [params['targetInfo'], params['context']]) {
    if (!isRecord(part)) continue;
    for (const name of PRIVATE_TEXTS) if (typeof part[name] === 'string') part[name] = '';
  }
  return JSON.stringify(message);
}

/**
 * Lets a page go on that waits for the program, which receives no events and may send no commands now.
 *
 * @param event an event of a page that the program does not receive
 */
export function letGo(link: Pick<BrowserLink, 'post'>, event: string, text: string, sessionId: string): void {
  if (event !== 'Fetch.requestPaused' && event !== 'Fetch.authRequired') return;
  const message: unknown = JSON.parse(text);
  const params = isRecord(message) && isRecord(message['params']) ? message['params'] : {};
  const { requestId } = params;
  if (event === 'Fetch.requestPaused') link.post('Fetch.continueRequest', { requestId }, sessionId);
  else {
    const authChallengeResponse = { response: 'Default' };
    link.post('Fetch.continueWithAuth', { requestId, authChallengeResponse }, sessionId);
  }
}
