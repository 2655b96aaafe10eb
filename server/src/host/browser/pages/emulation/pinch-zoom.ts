import type { CdpSession } from '../../cdp/cdp-session.js';

/**
 * Chromium limits every scale to the page's own limits, so this value becomes the smallest scale of the page.
 */
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
    // Chromium restores the zoom at the first layout of the page, which may be before or after its content
    // was read.
    if (reloading) resetPinchZoom(page);
    reloading = false;
  });
}
