import { withTimeout } from '../../platform/time/timeout.js';
import type { DropCounter } from '../browser/cdp/drop-counter.js';

/**
 * Timeout for an answer. The display and the browser's own process answer within milliseconds. The input of
 * all users waits for the answer.
 */
const ANSWER_TIMEOUT_MS = 250;

/** Returns the display's answer. At the timeout, counts it under the name `what` and returns undefined. */
export function displayAnswer<T>(
  what: string,
  asked: Promise<T>,
  drops: DropCounter,
): Promise<T | undefined> {
  return withTimeout(asked, ANSWER_TIMEOUT_MS, () => {
    drops.add(what, `no answer within ${ANSWER_TIMEOUT_MS} ms`);
    return undefined;
  });
}
