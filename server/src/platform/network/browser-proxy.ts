/** Loopback port in a session's own network, where its browser finds its only proxy to the internet. */
export const BROWSER_PROXY_PORT = 3128;
