import type { CdpConnection } from './cdp.js';

/** A world apart, so that the page cannot see the script and the script does not see the page's changes to the language. */
const WORLD = 'session';
/** Zooming by fingers is decided by all elements up to the root; moving the page stays. Source: W3C Pointer Events, 9. */
const SOURCE = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { touch-action: pan-x pan-y !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}`;

/**
 * Keeps two fingers from zooming a page; pages that do something of their own with them still can. Chromium's own switch
 * (`--disable-pinch`) is for a touch screen: touches that come over CDP pass it by.
 */
export function forbidPinch(cdp: CdpConnection, sessionId: string): void {
  const script = { source: SOURCE, worldName: WORLD, runImmediately: true };
  cdp.post('Page.enable', {}, sessionId);
  cdp.post('Page.addScriptToEvaluateOnNewDocument', script, sessionId);
}
