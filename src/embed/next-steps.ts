import type { CloudBrowserElement } from '../element/define.js';
import type { FromEmbed } from '../embed-module/messages.js';

/**
 * What a person chooses after an end is told to the page around the iframe, which alone can begin another session or put this one
 * away. Alone in its window the page closes that, where the browser lets it; else the element is hidden.
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
