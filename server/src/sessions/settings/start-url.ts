import { webAddress } from '../../platform/web-address.js';
import { invalidParameter } from '../../service-error.js';

/**
 * The address to open for what a customer wrote: http, https and about: only, completed when it has no scheme. Throws
 * {@link ServiceError} `err_invalid_parameter`.
 */
export function normalizeStartUrl(text: string): string {
  const address = webAddress(text);
  if (!address) throw invalidParameter('start_url', 'an http, https or about: address, or a domain');
  return address.href;
}
