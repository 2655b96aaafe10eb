import type { LookupFunction } from 'node:net';

/**
 * Returns a lookup function with which Node connects to these addresses, without another lookup of the host
 * name. It answers later, because the kernel may refuse an address at once, for example an IPv6 address on a
 * machine without IPv6. Node's HTTP client then has a listener for the error. Otherwise this process would
 * end.
 */
export function pinned(addresses: readonly { address: string; family: number }[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    setImmediate(() => {
      if (all) done(null, [...addresses]);
      else done(null, first?.address ?? '', first?.family);
    });
  };
}
