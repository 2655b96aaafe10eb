/** Pattern of the id in a session's own address: 16 bytes as base64url. */
export const ADDRESS_PATTERN = '[A-Za-z0-9_-]{22}';

/** Returns a session id in the form used in the session's own address. */
export function encodeSessionId(sessionId: string): string {
  return Buffer.from(sessionId.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Path of the automation endpoint below a session's own address. */
export const AUTOMATION_PATH = '/devtools/browser';

/** Returns the WebSocket address by which programs drive a session. */
export function cdpUrl(publicUrl: string, sessionId: string, token: string): string {
  const base = publicUrl.replace(/^http/, 'ws');
  return `${base}/${encodeSessionId(sessionId)}${AUTOMATION_PATH}?token=${token}`;
}

/** Returns the session id for an address part that matches {@link ADDRESS_PATTERN}. */
export function decodeSessionId(address: string): string {
  const hex = Buffer.from(address, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Returns the address that opens a session. Without a token, the customer's endpoint decides who may view.
 */
export function embedUrl(publicUrl: string, sessionId: string, embedToken: string | null): string {
  const base = `${publicUrl}/${encodeSessionId(sessionId)}`;
  return embedToken === null ? base : `${base}?token=${embedToken}`;
}
