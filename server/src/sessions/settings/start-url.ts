import { webAddress } from '../../platform/network/web-address.js';
import { invalidParameter } from '../../service-error.js';

/**
 * Returns the address to open for a `start_url`. Its scheme is http, https or about. Adds a scheme if there
 * is none. The new tab page is `about:newtab`. Throws {@link ServiceError} `err_invalid_parameter`.
 */
export function normalizeStartUrl(text: string): string {
  const address = webAddress(text);
  if (!address)
    throw invalidParameter('start_url', 'an http, https or about: address, chrome://newtab, or a domain');
  return address.href;
}
