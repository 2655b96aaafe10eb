import { withTimeout } from '../../platform/time/timeout.js';
import type { DropCounter } from '../browser/cdp/drop-counter.js';

/**
 * Timeout for an answer of the display or of the browser's own process. Both normally answer within
 * milliseconds. The input of all users waits for the answer.
 */
const ANSWER_TIMEOUT_MS = 250;

/**
 * Returns the answer of the display or of the browser. If no answer arrives in time, counts this in `drops`
 * under the name `what`, and returns undefined.
 */
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
