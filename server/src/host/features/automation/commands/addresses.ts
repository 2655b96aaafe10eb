/**
 * Characters that Chromium removes at the start and the end of an address. It removes some of them also
 * inside the address.
 */
const REMOVED = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\u2060\ufeff]/g;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** Schemes of network addresses, and the scheme `data`, whose addresses contain the data itself. */
const ALLOWED = new Set(['http', 'https', 'ws', 'wss', 'data']);
/** Schemes that wrap another address. */
const WRAPPING = new Set(['blob', 'filesystem']);
/** The only `about:` addresses that do not show pages of the browser itself. */
const ABOUT = /^about:(?:blank|srcdoc)(?:[?#]|$)/i;

/** Names of the parameters that contain addresses. They are the same in all methods. */
const ADDRESS_KEYS = ['url', 'urls', 'referrer', 'documentURL', 'origin'];

/**
 * True if a program may use an address. Only addresses of the network, `data:` addresses and empty pages are
 * allowed. Other addresses could show files of the service or pages of the browser itself. An address without
 * a scheme is allowed, because Chromium refuses it or reads it as relative to a page.
 */
export function isAllowedAddress(address: string): boolean {
  const plain = address.replace(REMOVED, '');
  const scheme = SCHEME.exec(plain)?.[1]?.toLowerCase();
  if (scheme === undefined) return true;
  if (ALLOWED.has(scheme)) return true;
  if (WRAPPING.has(scheme)) return isAllowedInner(plain.slice(scheme.length + 1));
  return ABOUT.test(plain);
}

/** Returns the first address of a command's parameters that a program may not use. */
export function forbiddenAddress(params: Readonly<Record<string, unknown>>): string | undefined {
  for (const address of addressesOf(params)) if (!isAllowedAddress(address)) return address;
  return undefined;
}

function* addressesOf(params: Readonly<Record<string, unknown>>): Generator<string> {
  for (const key of ADDRESS_KEYS) {
    const value = params[key];
    if (typeof value === 'string') yield value;
    else if (Array.isArray(value)) for (const entry of value) if (typeof entry === 'string') yield entry;
  }
}

/**
 * True if the address inside a `blob:` or `filesystem:` address is allowed. The inner address must begin with
 * `http:`, `https:`, or the origin `null`. Unlike other addresses, it is never relative to a page.
 */
function isAllowedInner(inner: string): boolean {
  const scheme = SCHEME.exec(inner)?.[1]?.toLowerCase();
  return scheme === 'http' || scheme === 'https' || inner.toLowerCase().startsWith('null');
}
