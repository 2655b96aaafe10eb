import { randomUUID } from 'node:crypto';
import type { CdpSession } from '../../cdp/cdp-session.js';
import { refusePasskeys } from './refused-passkeys.js';
import { TAP_PICKERS } from './tap-pickers.js';

/**
 * Pattern of the URLs that the browser itself can open. For other URLs Chromium would offer to start a
 * program, and a session has no such programs.
 */
const OPENED = '^(https?|about|blob|data|javascript|chrome|chrome-extension):';
/** Pattern of the other URLs that no program opens either. */
const REFUSED = '^(file|filesystem|view-source|devtools):';
/** Name of the isolated world in the browser. */
const WORLD = 'session';
/** Least time between two reports of a frame, so that a page cannot flood the host. Milliseconds. */
const REPORT_INTERVAL_MS = 1_000;

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
 * Prevents browser user interface that would cover a page, and opens the pickers that a finger expects. A
 * link that would start a program, such as `mailto:`, opens nothing. Adds a script that runs in an isolated
 * world before the page's own scripts. Also refuses passkeys. Call this for each page, and for each frame
 * that has its own process.
 *
 * @param onProgramLink called when a user has followed such a link
 */
export function guardPage(page: CdpSession, kiosk: boolean, onProgramLink: () => void): void {
  const report = randomUUID();
  // Pages also open such addresses by scripts, for example in a listener of a click. A page that does so
  // without a user gets no notice.
  const source = `${TAP_PICKERS}${kiosk ? LINKS_IN_KIOSK : ''}let reported = -Infinity;
  const refuse = (event, url, byUser) => {
    if (/${OPENED}/.test(url)) return;
    event.preventDefault();
    if (/${REFUSED}/.test(url) || !byUser || performance.now() - reported < ${REPORT_INTERVAL_MS}) return;
    reported = performance.now();
    globalThis['${report}']?.('');
  };
  globalThis.navigation?.addEventListener('navigate', (event) => {
    refuse(event, event.destination.url, event.userInitiated || navigator.userActivation.isActive);
  });
  // A link to another window does not navigate this one. Without this, a tab would open and close.
  addEventListener('click', (event) => {
    const link = event.composedPath().find((part) => part.localName === 'a' || part.localName === 'area');
    if (link?.protocol && link.target && !event.defaultPrevented) refuse(event, link.href, event.isTrusted);
  });`;
  page.on('Runtime.bindingCalled', ({ name }) => {
    if (name === report) onProgramLink();
  });
  // A new process does not have the binding, so the host adds it again.
  const bind = () => void page.prepare('Runtime.addBinding', { name: report, executionContextName: WORLD });
  page.on('Page.frameNavigated', bind);
  const script = { source, worldName: WORLD, runImmediately: true };
  void page.prepare('Page.enable', {});
  void page.prepare('Page.addScriptToEvaluateOnNewDocument', script);
  refusePasskeys(page);
  bind();
}
