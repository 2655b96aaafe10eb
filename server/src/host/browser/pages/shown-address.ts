import { CdpError, type CdpSession } from '../cdp/cdp-session.js';

/**
 * Maximum number of characters of an address or a title that users and programs receive. A page can put
 * megabytes into its address and its title, and change them all the time. The longest addresses of real
 * pages, with the messages of a login, are shorter.
 */
export const MAX_ADDRESS_CHARS = 16_384;

/** Address and title of a page. */
export interface ShownAddress {
  url: string;
  title: string;
}

/**
 * Returns the address and the title of the document that a page shows. The browser answers, not the page.
 * Rejects with `CdpError`.
 */
export async function shownAddress(page: Pick<CdpSession, 'send'>): Promise<ShownAddress> {
  const { url, title } = await fromHistory(page).catch((error: unknown) => {
    if (error instanceof CdpError && error.reason === 'too-large') return fromTarget(page);
    throw error;
  });
  return { url: url.slice(0, MAX_ADDRESS_CHARS), title: title.slice(0, MAX_ADDRESS_CHARS) };
}

async function fromHistory(page: Pick<CdpSession, 'send'>): Promise<ShownAddress> {
  const { currentIndex, entries } = await page.send('Page.getNavigationHistory', {});
  return entries[currentIndex] ?? { url: '', title: '' };
}

/** The target has only one address, but during a navigation it may already be the next one. */
async function fromTarget(page: Pick<CdpSession, 'send'>): Promise<ShownAddress> {
  const { targetInfo } = await page.send('Target.getTargetInfo', {});
  return targetInfo;
}
