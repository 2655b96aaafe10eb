import { networkInterfaces } from 'node:os';
import { plainAddress } from './public-address.js';

/** Milliseconds for which the list of network interfaces is reused before it is read again. */
const REUSE_MS = 2_000;

/**
 * Returns a function that lists the addresses of this machine's network interfaces, also public ones. A
 * connection to any of them reaches this machine.
 */
export function ownAddresses(): () => ReadonlySet<string> {
  let read = -Infinity;
  let own: ReadonlySet<string> = new Set();
  return () => {
    if (performance.now() - read > REUSE_MS) {
      const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
      own = new Set(all.map(({ address }) => plainAddress(address)));
      read = performance.now();
    }
    return own;
  };
}
