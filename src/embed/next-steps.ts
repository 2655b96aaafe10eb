import type { CloudBrowserElement } from '../element/define.js';
import type { FromEmbed } from '../embed-module/messages.js';

/**
 * After the session has ended, sends the user's choice to the page around the iframe. Only that page can
 * start another session or close the view. To close the view, a page without an iframe also closes its
 * window, if the browser allows it. The element itself hides the view.
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
