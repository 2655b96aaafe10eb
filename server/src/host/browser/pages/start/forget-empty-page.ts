import { pause, systemClock, type Clock } from '../../../../platform/time/clock.js';
import { CdpError, type CdpSession } from '../../cdp/cdp-session.js';

/**
 * Retry interval and timeout for removing the empty page. The retries bridge the time until the new document
 * has replaced the empty page. On a busy machine the new document first waits for its process.
 */
const RETRY_INTERVAL_MS = 25;
const FORGET_TIMEOUT_MS = 5_000;

/**
 * Returns the id of the first entry in a page's history; undefined if the browser does not tell it.
 */
export async function firstEntry(page: CdpSession): Promise<number | undefined> {
  const history = await page.send('Page.getNavigationHistory', {}).catch(() => undefined);
  return history?.entries[0]?.id;
}

/**
 * Removes the entry of the empty page from a page's history, after the browser has started to show another
 * page. The browser answers a navigation before the new document has replaced the empty page. Until then, it
 * refuses to change the history, or keeps the entry of the empty page.
 *
 * @param empty id of the entry; undefined if unknown
 */
export async function forgetEmptyPage(
  page: CdpSession,
  empty: number | undefined,
  clock: Pick<Clock, 'now' | 'setTimeout'> = systemClock,
): Promise<void> {
  const deadline = clock.now() + FORGET_TIMEOUT_MS;
  while (!(await isForgotten(page, empty)) && clock.now() < deadline) await pause(clock, RETRY_INTERVAL_MS);
}

/** Removes the entry once. Resolves to true if it is removed, or if the page is gone. */
async function isForgotten(page: CdpSession, empty: number | undefined): Promise<boolean> {
  try {
    await page.send('Page.resetNavigationHistory', {});
  } catch (error) {
    return !(error instanceof CdpError && error.reason === 'refused');
  }
  if (empty === undefined) return true;
  const first = await firstEntry(page);
  return first !== undefined && first !== empty;
}
