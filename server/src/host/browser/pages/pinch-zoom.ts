import type { CdpSession } from '../cdp/cdp-session.js';

/** Chromium brings every scale into the page's own limits: this is the smallest that the page has. */
const SMALLEST_SCALE = 0.01;

/** Undoes what two fingers zoomed: shows all of the page again. */
export function resetPinchZoom(page: CdpSession): void {
  page.post('Emulation.setPageScaleFactor', { pageScaleFactor: SMALLEST_SCALE });
}

/**
 * Undoes what two fingers zoomed whenever the page is loaded again. Chromium itself keeps their zoom over a reload until fingers
 * take it back; people expect the page as it was. The domain `Page` must be enabled.
 */
export function resetPinchZoomOnReload(page: CdpSession, mainFrame: string): void {
  let reloading = false;
  page.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
    // `reload` or `reloadBypassingCache`.
    if (frameId === mainFrame) reloading = navigationType.startsWith('reload');
  });
  page.on('Page.domContentEventFired', () => {
    if (reloading) resetPinchZoom(page);
  });
  page.on('Page.loadEventFired', () => {
    // Chromium restores the zoom when the page is first laid out: that may be before or after its content was read.
    if (reloading) resetPinchZoom(page);
    reloading = false;
  });
}
