import type { Protocol } from 'devtools-protocol';
import { isNewTabPage } from '../../../../platform/network/new-tab-page.js';
import type { CdpSession } from '../../cdp/cdp-session.js';

/** Schemes of pages that belong to the browser and not to a website. */
const BROWSER_SCHEMES = /^(?:chrome|chrome-untrusted|chrome-search|devtools|view-source):/i;
/** Timeout for answers of a page that may be gone. */
const ANSWER_TIMEOUT_MS = 10_000;

/** True for a page of the browser itself, such as its list of downloads. The new tab page is allowed. */
export function isBrowserPage(address: string): boolean {
  return BROWSER_SCHEMES.test(address) && !isNewTabPage(address);
}

/**
 * Closes a page of a kiosk when it shows a page of the browser itself. The host does not pass on the
 * shortcuts that open such pages, but other ways may exist. Users could not leave such a page, because a
 * kiosk has no address bar and no tabs.
 *
 * @param address the page's address when it was attached
 * @param isFirst returns true for the kiosk's own page, which goes back to its website instead
 */
export function leaveBrowserPages(page: CdpSession, address: string, isFirst: () => boolean): void {
  const leave = () => {
    if (isFirst()) void goBack(page).catch(() => page.post('Page.close', {}));
    else page.post('Page.close', {});
  };
  const judge = ({ parentId, url, unreachableUrl }: Protocol.Page.Frame) => {
    // For a blocked page, `url` is the address of an error page, and `unreachableUrl` is the blocked address.
    if (parentId === undefined && isBrowserPage(unreachableUrl ?? url)) leave();
  };
  // Chromium ignores these commands while it still creates the page. So the code below checks the page again.
  if (isBrowserPage(address)) leave();
  page.on('Page.frameNavigated', ({ frame }) => judge(frame));
  // The page may have navigated before the events were enabled.
  page.send('Page.getFrameTree', {}, ANSWER_TIMEOUT_MS).then(
    ({ frameTree }) => judge(frameTree.frame),
    () => undefined,
  );
}

/** Goes back to the last website in the page's history. Rejects if there is none. */
async function goBack(page: CdpSession): Promise<void> {
  const { currentIndex, entries } = await page.send('Page.getNavigationHistory', {}, ANSWER_TIMEOUT_MS);
  const website = entries.slice(0, currentIndex).findLast(({ url }) => !isBrowserPage(url));
  if (!website) throw new Error('The page has no website in its history.');
  await page.send('Page.navigateToHistoryEntry', { entryId: website.id }, ANSWER_TIMEOUT_MS);
}
