/**
 * First page of a session for new visitors. The service itself serves it, so it works without the internet.
 */
export const WELCOME_URL = 'http://welcome.cloud-browser.internal/';

/** Shop of the demo's agent. It is served like the first page. */
export const SHOP_URL = `${WELCOME_URL}order.html`;
