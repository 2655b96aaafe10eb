/** Spellings of the new tab page that users may enter. */
const NEW_TAB = /^(?:chrome|about):(?:\/\/)?newtab\/?$/i;

/**
 * Returns the complete address for a typed text. Empty for an empty text, and null for text that is no
 * address.
 */
export function startUrl(text: string): string | null {
  if (text === '') return '';
  if (NEW_TAB.test(text)) return 'about:newtab';
  // Chromium would escape spaces in a host name.
  if (/\s/.test(text)) return null;
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d/.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && ['http:', 'https:', 'about:'].includes(url.protocol) ? url.href : null;
}
