import { invalidParameter } from '../../service-error.js';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** `localhost:3000/x` looks like a scheme to a URL parser, but nobody means one. */
const HOST_AND_PORT = /^[^\s/?#@]+:\d{1,5}(?:[/?#]|$)/;
const ALLOWED = new Set(['http:', 'https:', 'about:']);

/**
 * The address to open for what a customer wrote: http, https and about: only, https for a bare domain. Throws
 * {@link ServiceError} `err_invalid_parameter`.
 */
export function normalizeStartUrl(text: string): string {
  const trimmed = text.trim();
  const hasScheme = SCHEME.test(trimmed) && !HOST_AND_PORT.test(trimmed);
  const address = hasScheme ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(address) || !ALLOWED.has(new URL(address).protocol)) {
    throw invalidParameter('start_url', 'an http, https or about: address, or a domain');
  }
  return new URL(address).href;
}
