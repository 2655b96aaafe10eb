import { withBrackets, withoutBrackets } from './host-name.js';

/** True if a host name or address in a URL or a setting can only mean this machine. */
export function isLoopbackName(name: string): boolean {
  const host = withoutBrackets(name.toLowerCase());
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * Returns the URL of a listening socket for users on this machine. Loopback and wildcard addresses become
 * `localhost`. Browsers treat `localhost` as secure, so WebCodecs works without TLS.
 */
export function localUrl(host: string, port: number): string {
  const wildcard = host === '0.0.0.0' || host === '::';
  const name = wildcard || isLoopbackName(host) ? 'localhost' : withBrackets(host);
  return `http://${name}${port === 80 ? '' : `:${port}`}`;
}
