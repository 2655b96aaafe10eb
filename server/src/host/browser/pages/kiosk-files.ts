import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { CdpSession } from '../cdp/cdp-session.js';

/** Refuses downloads without a word. By policy alone the browser tells of each one, over the page. */
export function refuseDownloads(cdp: CdpConnection): void {
  cdp.browser.post('Browser.setDownloadBehavior', { behavior: 'deny' });
}

/** Whoever wants to choose a file has chosen none. By policy alone an info bar says so, and moves the page. */
export function refuseFiles(page: CdpSession): void {
  page.post('Page.setInterceptFileChooserDialog', { enabled: true, cancel: true });
}
