/**
 * First page of a session for new visitors. The service itself serves it, so it works without the internet.
 */
export const WELCOME_URL = 'http://welcome.cloud-browser.internal/';
