/** Spellings of the new tab page that users may enter. */
const NEW_TAB = /^(?:chrome|about):(?:\/\/)?newtab\/?$/i;

/**
 * Returns the complete address for a typed text. Empty for an empty text, and null for text that is no
 * address. An address without a scheme is completed as the service does it: https, but http for a name
 * without dots, an IP address, and an address with a port.
 */
export function startUrl(text: string): string | null {
  if (text === '') return '';
  if (NEW_TAB.test(text)) return 'about:newtab';
  // Chromium would escape spaces in a host name.
  if (/\s/.test(text)) return null;
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d/.test(text);
  const address = hasScheme ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !['http:', 'https:', 'about:'].includes(url.protocol)) return null;
  if (!hasScheme && isPlain(url)) url.protocol = 'http:';
  return url.href;
}

/** True for hosts that rarely have a certificate. The URL parser has completed each IPv4 address. */
function isPlain({ port, hostname }: URL): boolean {
  return port !== '' || /^\[|^[\d.]+$/.test(hostname) || !hostname.includes('.');
}
