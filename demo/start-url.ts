/** A complete address; empty for none at all; null for something that is not one. */
export function startUrl(text: string): string | null {
  if (text === '') return '';
  // Chromium would escape spaces in a host's name.
  if (/\s/.test(text)) return null;
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d/.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && ['http:', 'https:', 'about:'].includes(url.protocol) ? url.href : null;
}
