import type { LookupFunction } from 'node:net';

/**
 * Returns a lookup function with which Node connects to these addresses, without another lookup of the host
 * name. The function answers in a later turn of the event loop, because the kernel refuses some addresses at
 * once, for example an IPv6 address on a machine without IPv6. After an answer in the same turn, the
 * connection would fail before Node's HTTP client listens for its errors, and the error would end this
 * process.
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
