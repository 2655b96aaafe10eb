/**
 * Loopback port in a session's own network. The proxy at this port is the browser's only way to the internet.
 */
export const BROWSER_PROXY_PORT = 3128;
