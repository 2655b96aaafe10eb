import { isIP } from 'node:net';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** `localhost:3000/x` looks like a scheme to a URL parser, but nobody means one. */
const HOST_AND_PORT = /^[^\s/?#@]+:\d{1,5}(?:[/?#]|$)/;
/** `javascript:0` looks like a host and a port to us, and nobody means one. */
const NO_HOST = /^(?:about|blob|chrome|data|devtools|file|ftp|javascript|mailto|sms|tel|view-source):/i;
/** What names no host but a place on the page that one is on. */
const RELATIVE = /^[/\\?#.]/;
const ALLOWED = new Set(['http:', 'https:', 'about:']);

/**
 * The address that somebody wrote for a hosted browser; undefined when it is none that one may go to: http, https and about: alone.
 * One without a scheme is completed as Chromium's address bar does: https, but http for a single name, an IP address, and where a port
 * is named (`omnibox/browser/autocomplete_input.cc`, `ShouldUpgradeToHttps`).
 */
export function webAddress(text: string): URL | undefined {
  const written = text.trim();
  const hasScheme = SCHEME.test(written) && !HOST_AND_PORT.test(written);
  if (hasScheme || NO_HOST.test(written)) return allowed(written);
  if (RELATIVE.test(written)) return undefined;
  const url = allowed(`https://${written}`);
  const isPlain =
    url && (url.port !== '' || isIP(url.hostname.replace(/[[\]]/g, '')) || !url.hostname.includes('.'));
  if (isPlain) url.protocol = 'http:';
  return url;
}

function allowed(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && ALLOWED.has(url.protocol) ? url : undefined;
}
