/**
 * Returns the security headers of the service's own pages. They stop the browser from sending the page's
 * address as referrer, because the address of an embed page contains a token. `framing` sets which pages may
 * show this page in a frame: all pages or pages of certain origins for an embed page, and no page for the
 * demo. Images of other sites are refused, because such a site would learn the address of the local browser.
 */
export function pageHeaders(
  publicUrl: string,
  framing: 'anywhere' | 'nowhere' | readonly string[],
): Record<string, string> {
  const socketOrigin = new URL(publicUrl).origin.replace(/^http/, 'ws');
  const policy = [
    "default-src 'self'",
    // Allows blobs, because the images of remote pointers are blobs.
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    // Allows the socket's origin, because the page may have been opened under another name of this service.
    `connect-src 'self' ${socketOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    ...frameAncestors(framing),
  ];
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

function frameAncestors(framing: 'anywhere' | 'nowhere' | readonly string[]): string[] {
  if (framing === 'anywhere') return [];
  return [framing === 'nowhere' ? "frame-ancestors 'none'" : `frame-ancestors 'self' ${framing.join(' ')}`];
}
