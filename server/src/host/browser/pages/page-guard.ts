import type { CdpSession } from '../cdp/cdp-session.js';

/**
 * Shortcuts of Chromium for view-source, bookmarks, history, downloads, tabs, the address bar, save and open.
 * Pages may handle them first. In a kiosk they would cover or leave the page. Each is a `KeyboardEvent.key`
 * in lower case, pressed with Control alone.
 */
const IN_KIOSK = 'udehjklos123456789';
/**
 * URLs that the browser itself can open. For other URLs Chromium would offer to start a program, and a
 * session has no such programs.
 */
const OPENED = '^(https?|about|blob|data|javascript|chrome|chrome-extension):';

/**
 * Blocks shortcuts. Also blocks middle clicks and clicks with a modifier key on a link, because they would
 * open another page or window.
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
 * Prevents browser user interface that would cover a page. In a kiosk only the page receives the shortcuts,
 * and Chromium ignores them. A link to a program does nothing. Runs in an isolated world, before the page's
 * scripts, in a page or a frame of another process.
 */
export function guardPage(page: CdpSession, kiosk: boolean): void {
  const source = `${kiosk ? KEYS_AND_LINKS_IN_KIOSK : ''}globalThis.navigation?.addEventListener('navigate', (event) => {
    if (!/${OPENED}/.test(event.destination.url)) event.preventDefault();
  });`;
  page.post('Page.enable', {});
  page.post('Page.addScriptToEvaluateOnNewDocument', { source, worldName: 'session', runImmediately: true });
}
