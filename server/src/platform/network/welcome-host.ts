/**
 * Host name of the demo's first page, http://welcome.cloud-browser.internal/. The egress process serves the
 * page from memory. No name server knows the name: `internal` is reserved for private use.
 */
export const WELCOME_HOST = 'welcome.cloud-browser.internal';
