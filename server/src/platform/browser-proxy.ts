/** Port of loopback, in a session's own network, on which its browser finds the only way out. */
export const BROWSER_PROXY_PORT = 3128;
