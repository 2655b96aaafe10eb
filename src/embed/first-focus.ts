import type { CloudBrowserElement } from '../element/define.js';

/**
 * Focuses the remote browser when it is shown. In an iframe, the page around it may have the focus in a field
 * of its own. Then this page waits until it gets the focus, by a press or by `focus()` of the iframe.
 */
export function focusWhenFree(browser: CloudBrowserElement): void {
  const focus = (): void => {
    const isFree = document.activeElement === document.body;
    if (browser.viewer && isFree && mayTakeFocus(window)) browser.focus();
  };
  browser.addEventListener('viewer', focus);
  // After Tab, the browser focuses an element only after this event.
  window.addEventListener('focus', () => setTimeout(focus));
}

/**
 * True if a page has the focus, or if no page around it has focused an element. False if this is unknown: a
 * page cannot see the focus in pages of other origins.
 */
export function mayTakeFocus(view: Window): boolean {
  if (view.document.hasFocus()) return true;
  try {
    for (let inner = view; inner.parent !== inner; inner = inner.parent) {
      const { activeElement, body } = inner.parent.document;
      if (activeElement !== body && activeElement !== inner.frameElement) return false;
    }
    return true;
  } catch {
    return false;
  }
}
