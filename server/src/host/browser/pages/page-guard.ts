import type { CdpSession } from '../cdp/cdp-session.js';

/**
 * Shortcuts that pages use, and that Chromium acts on when they do not: view-source, bookmarks, history, downloads, tabs, the address bar,
 * save, open, which would cover a kiosk's page or leave it. By `KeyboardEvent.key` in lower case, pressed with Control alone.
 */
const IN_KIOSK = 'udehjklos123456789';
/** Addresses that a browser opens itself. For others Chromium would offer to start a program, which a session does not have. */
const OPENED = '^(https?|about|blob|data|javascript|chrome|chrome-extension):';

/** A middle click on a link, or one with a modifier, would open a page behind the kiosk's, or another window over it. */
const KEYS_AND_LINKS_IN_KIOSK = `addEventListener('keydown', (event) => {
    if (event.ctrlKey && !event.altKey && !event.shiftKey && !event.metaKey
      && event.key.length === 1 && '${IN_KIOSK}'.includes(event.key.toLowerCase())) event.preventDefault();
  }, true);
  for (const type of ['click', 'auxclick']) addEventListener(type, (event) => {
    const special = event.button === 1 || event.ctrlKey || event.shiftKey || event.metaKey;
    if (special && event.composedPath().some((part) => part.localName === 'a' || part.localName === 'area'))
      event.preventDefault();
  }, true);
  `;

/**
 * Keeps Chromium from what a page would be covered by: in a kiosk the page's own listeners get its shortcuts, Chromium does nothing
 * with them; a link to a program does nothing. Runs in a world of its own, before the page's scripts, in a page or a frame of another process.
 */
export function guardPage(page: CdpSession, kiosk: boolean): void {
  const source = `${kiosk ? KEYS_AND_LINKS_IN_KIOSK : ''}globalThis.navigation?.addEventListener('navigate', (event) => {
    if (!/${OPENED}/.test(event.destination.url)) event.preventDefault();
  });`;
  page.post('Page.enable', {});
  page.post('Page.addScriptToEvaluateOnNewDocument', { source, worldName: 'session', runImmediately: true });
}
