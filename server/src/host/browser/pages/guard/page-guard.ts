import type { CdpSession } from '../../cdp/cdp-session.js';

/**
 * Pattern of the URLs that the browser itself can open. For other URLs Chromium would offer to start a
 * program, and a session has no such programs.
 */
const OPENED = '^(https?|about|blob|data|javascript|chrome|chrome-extension):';

/**
 * Script that blocks middle clicks on links, and clicks with Control, Shift or Meta. Such clicks would open a
 * page or a window.
 */
const LINKS_IN_KIOSK = `for (const type of ['click', 'auxclick']) addEventListener(type, (event) => {
    const special = event.button === 1 || event.ctrlKey || event.shiftKey || event.metaKey;
    if (special && event.composedPath().some((part) => part.localName === 'a' || part.localName === 'area'))
      event.preventDefault();
  }, true);
  `;

/**
 * Prevents browser user interface that would cover a page. A link that would start a program does nothing.
 * Adds a script that runs in an isolated world before the page's own scripts. Call this for each page, and
 * for each frame that has its own process.
 */
export function guardPage(page: CdpSession, kiosk: boolean): void {
  const source = `${kiosk ? LINKS_IN_KIOSK : ''}globalThis.navigation?.addEventListener('navigate', (event) => {
    if (!/${OPENED}/.test(event.destination.url)) event.preventDefault();
  });`;
  const script = { source, worldName: 'session', runImmediately: true };
  void page.prepare('Page.enable', {});
  void page.prepare('Page.addScriptToEvaluateOnNewDocument', script);
}
