import { inTime } from '../../platform/in-time.js';
import type { DropCounter } from '../browser/cdp/drop-counter.js';

/** The display and the browser's own process answer within milliseconds; every user's input waits meanwhile. */
const ANSWER_TIMEOUT_MS = 250;

/** The display's answer to `what`; undefined when it does not come in time, which is counted. */
export function displayAnswer<T>(
  what: string,
  asked: Promise<T>,
  drops: DropCounter,
): Promise<T | undefined> {
  return inTime(asked, ANSWER_TIMEOUT_MS, () => {
    drops.add(what, `no answer within ${ANSWER_TIMEOUT_MS} ms`);
    return undefined;
  });
}
