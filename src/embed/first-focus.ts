import type { CloudBrowserElement } from '../element/define.js';
import { mayTakeFocus } from '../viewer/focused-field.js';

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
