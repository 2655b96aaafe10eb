/** A host as it is looked up and compared: an address of IPv6 without the brackets that it has in a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** A host as a URL has it: an address of IPv6 in brackets. */
export function withBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
