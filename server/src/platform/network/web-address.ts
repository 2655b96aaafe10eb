import { isIP } from 'node:net';
import { isNewTabPage, NEW_TAB_PAGE } from './new-tab-page.js';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/**
 * A host and a port without a scheme, such as `localhost:3000/x`. A URL parser would read this host as the
 * scheme.
 */
const HOST_AND_PORT = /^[^\s/?#@]+:\d{1,5}(?:[/?#]|$)/;
/** Schemes that {@link HOST_AND_PORT} would match as a host, as in `javascript:0`. */
const NO_HOST = /^(?:about|blob|chrome|data|devtools|file|ftp|javascript|mailto|sms|tel|view-source):/i;
/** Addresses relative to a page. */
const RELATIVE = /^[/\\?#.]/;
const ALLOWED = new Set(['http:', 'https:', 'about:']);

/**
 * Parses an address that a caller has written for a hosted browser. Returns undefined for schemes other than
 * http, https and about. Each spelling of the new tab page, also with `chrome:`, becomes {@link
 * NEW_TAB_PAGE}. An address without a scheme is completed as in Chromium's address bar: https, but http for a
 * name without dots, an IP address, and an address with a port (`omnibox/browser/autocomplete_input.cc`,
 * `ShouldUpgradeToHttps`).
 */
export function webAddress(text: string): URL | undefined {
  const written = text.trim();
  if (isNewTabPage(written)) return new URL(NEW_TAB_PAGE);
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
