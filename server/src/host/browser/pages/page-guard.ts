import type { CdpSession } from '../cdp/cdp-session.js';

/**
 * Shortcuts that pages may use, and that Chromium acts on when they do not: view-source, bookmarks, history,
 * downloads, tabs, the address bar, save and open. They would cover or leave a kiosk's page. Each is a
 * `KeyboardEvent.key` in lower case, pressed with Control alone.
 */
const IN_KIOSK = 'udehjklos123456789';
/**
 * URLs that a browser opens itself. For others Chromium would offer to start a program, which a session does
 * not have.
 */
const OPENED = '^(https?|about|blob|data|javascript|chrome|chrome-extension):';

/**
 * Blocks shortcuts, and middle clicks or clicks with a modifier on a link. Those would open a page behind the
 * kiosk's, or another window over it.
 */
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
 * Prevents browser user interface that would cover a page. In a kiosk the page's own listeners get the
 * shortcuts, and Chromium does nothing with them. A link to a program does nothing. Runs in an isolated
 * world, before the page's scripts, in a page or a frame of another process.
 */
export function guardPage(page: CdpSession, kiosk: boolean): void {
  const source = `${kiosk ? KEYS_AND_LINKS_IN_KIOSK : ''}globalThis.navigation?.addEventListener('navigate', (event) => {
    if (!/${OPENED}/.test(event.destination.url)) event.preventDefault();
  });`;
  page.post('Page.enable', {});
  page.post('Page.addScriptToEvaluateOnNewDocument', { source, worldName: 'session', runImmediately: true });
}
