import type { CdpSession } from '../../cdp/cdp-session.js';

/**
 * Script that refuses requests for passkeys and security keys. Pages have no `PublicKeyCredential`, so most
 * of them never make such a request. But Chromium still accepts it, and waits for an authenticator: behind a
 * window over the page, or for ever where this window cannot be shown. The script runs in the page's own
 * world, because it replaces functions of the page. To the page they look like the browser's own.
 */
const REFUSE = `{
  const { prototype = {} } = globalThis.CredentialsContainer ?? {};
  const [reject, Refusal, call] = [Promise.reject.bind(Promise), DOMException, Reflect.apply];
  const refuse = (own, container, args) => args[0]?.publicKey === undefined
    ? call(own, container, args)
    : reject(new Refusal('This browser has no authenticator.', 'NotAllowedError'));
  for (const name of ['create', 'get'])
    if (prototype[name]) prototype[name] = new Proxy(prototype[name], { apply: refuse });
}`;

/**
 * Refuses requests of a page for passkeys and security keys, as a browser does whose user cancels them. Call
 * this for each page, and for each frame that has its own process.
 */
export function refusePasskeys(page: Pick<CdpSession, 'prepare'>): void {
  void page.prepare('Page.addScriptToEvaluateOnNewDocument', { source: REFUSE, runImmediately: true });
}
