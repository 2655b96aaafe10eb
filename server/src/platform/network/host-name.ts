/** Returns a host for lookups and comparisons: an IPv6 address without the brackets that it has in a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Returns a host for a URL: an IPv6 address in brackets. */
export function withBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
