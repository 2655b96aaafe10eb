import type { CloudBrowserElement } from '../element/define.js';
import { ClientMessages, userdataOf } from '../embed-module/client-messages.js';
import type { FromEmbed } from '../embed-module/messages.js';
import type { KeyboardScope } from '../input/index.js';

/**
 * Time for the embedding page to send its user data after this page's load event, in milliseconds. An
 * embedding page sends the data at once or never.
 */
const USERDATA_TIMEOUT_MS = 1_000;

/**
 * Lets the embedding page control the element by `postMessage`. Any page may do so, because the address of
 * this page gives access to the session. Resolves when this page may connect. This page first waits for its
 * own load event, because the embedding page listens for messages only after this event. If the address has
 * no token, also waits up to {@link USERDATA_TIMEOUT_MS} for the user data, which the session may need for
 * the authorization.
 */
export async function speakWithParent(browser: CloudBrowserElement, parent: Window): Promise<void> {
  let messages: ClientMessages | undefined;
  let keyboard: KeyboardScope = 'surface';
  const post = (message: FromEmbed): void => parent.postMessage(message, '*');
  const brought = new Promise<void>((resolve) => {
    window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
      if (source !== parent) return;
      const { type, data: value } = (data ?? {}) as { type?: unknown; data?: unknown };
      if (type === 'webhook_auth') {
        browser.userdata = userdataOf(value);
        resolve();
      } else if (type === 'delegate_keyboard') {
        // The embedding page forwards its own keys. This setting only enables or disables the keys that are
        // pressed in this page.
        keyboard = value === false ? 'none' : 'surface';
        if (browser.viewer) browser.viewer.keyboard = keyboard;
      } else if (type === 'admin_token') browser.adminToken = typeof value === 'string' ? value : undefined;
      else if (type === 'disable_input') browser.viewOnly = value === true;
      else if (type === 'volume') browser.volume = typeof value === 'number' ? value : 1;
      else if (type === 'video_paused') browser.videoPaused = value === true;
      else messages?.handle(data);
    });
  });
  browser.addEventListener('viewer', ({ viewer }) => {
    messages?.close();
    messages = new ClientMessages(viewer, post);
    // The embedding page may have sent its settings before there was a viewer.
    viewer.keyboard = keyboard;
  });
  await loaded();
  const decidedByToken = new URL(location.href).searchParams.has('token');
  if (!decidedByToken) await Promise.race([brought, pause(USERDATA_TIMEOUT_MS)]);
}

/** Resolves after the load event, and after the embedding page's listeners for this event have run. */
async function loaded(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
  await pause(0);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
