import type { TabMethod } from 'cloud-browser/protocol';
import { CallError } from './calls.js';

/** What takes an address to go to. */
const NAVIGATING: ReadonlySet<TabMethod> = new Set<TabMethod>(['create', 'update']);
const ALLOWED = new Set(['http:', 'https:', 'about:']);

/**
 * The arguments of a method of `chrome.tabs`, with every address that is to be opened in its normal form, so that Chrome
 * cannot read it in another way than we did. Throws {@link CallError} for what is not http, https or about:. An address is
 * never relative: to Chrome it would be one of our own extension.
 */
export function withSafeAddresses(method: TabMethod, args: readonly unknown[]): unknown[] {
  if (!NAVIGATING.has(method)) return [...args];
  return args.map((arg) => {
    if (typeof arg !== 'object' || arg === null || !('url' in arg)) return arg;
    const { url } = arg;
    // What is no text is refused by Chrome, in its own words.
    return typeof url === 'string' ? { ...arg, url: safeAddress(url) } : arg;
  });
}

function safeAddress(text: string): string {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Relative, or nothing at all.
  }
  if (url && ALLOWED.has(url.protocol)) return url.href;
  throw new CallError(
    'err_address_not_allowed',
    'Only complete http:, https: and about: addresses can be opened.',
  );
}
