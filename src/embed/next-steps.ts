import type { CloudBrowserElement } from '../element/define.js';
import type { FromEmbed } from '../embed-module/messages.js';

/**
 * Sends the user's choice after the end of the session (start again or close) to the page around the iframe.
 * Only that page can start another session or remove the iframe. Without an iframe, the choice to close also
 * closes the window, if the browser allows it. The element hides itself when the user closes it.
 */
export function tellNextSteps(browser: CloudBrowserElement, parent: Window): void {
  const post = (message: FromEmbed): void => {
    if (parent !== window) parent.postMessage(message, '*');
  };
  browser.addEventListener('startagain', ({ reason }) => post({ type: 'start_again', data: { reason } }));
  browser.addEventListener('closerequest', ({ reason }) => {
    post({ type: 'close_request', data: { reason } });
    if (parent === window) window.close();
  });
}
