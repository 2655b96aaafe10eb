import type { CdpSession } from '../../cdp/cdp-session.js';

/** Scale below the limits of every page. Chromium raises it to the smallest scale that the page allows. */
const SMALLEST_SCALE = 0.01;

/** Resets the pinch zoom, so that the whole page is visible. */
export function resetPinchZoom(page: CdpSession): void {
  page.post('Emulation.setPageScaleFactor', { pageScaleFactor: SMALLEST_SCALE });
}

/**
 * Resets the pinch zoom whenever the page is reloaded. Chromium keeps the zoom after a reload, but users
 * expect the original view. The domain `Page` must be enabled.
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
    // Resets the zoom also at this event. Chromium restores it at the first layout of the page, which may be
    // before or after the event `domContentEventFired`.
    if (reloading) resetPinchZoom(page);
    reloading = false;
  });
}
