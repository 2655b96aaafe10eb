import { networkInterfaces } from 'node:os';
import { plainAddress } from './public-address.js';

/** How long a look at the network interfaces is good for. */
const REUSE_MS = 2_000;

/** Addresses of this machine's network interfaces, public ones too: connected to, each of them means this machine. */
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
