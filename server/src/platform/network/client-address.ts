import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from './addresses/public-address.js';

/** Client addresses of forwarded requests, as reported by other nodes of the service. */
const told = new WeakMap<IncomingMessage, string>();

/**
 * Records the client's address of a request that another node has forwarded. The caller has verified that
 * node.
 */
export function tellClientAddress(request: IncomingMessage, address: string): void {
  told.set(request, address);
}

/**
 * Returns the address of the client that sent a request. Each of the operator's reverse proxies appends the
 * address of its own client to `X-Forwarded-For`. So with 2 proxies, the address of the client is the second
 * entry from the end. Earlier entries come from the client and are not reliable. If the entry is not an
 * address, returns the address of the nearest proxy.
 */
export function clientAddress(request: IncomingMessage, proxies: number): string {
  const known = told.get(request);
  if (known !== undefined) return known;
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  if (proxies === 0) return peer;
  const header = [request.headers['x-forwarded-for'] ?? ''].flat().join(',');
  const chain = header.split(',').filter((entry) => entry.trim() !== '');
  return addressIn(chain.at(-proxies) ?? chain[0] ?? '') ?? peer;
}

/** Returns the address in an entry. Some proxies add the port, and quotation marks. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const bare = /^(\d[\d.]*|\[[^\]]*\]):\d+$/.exec(text)?.[1] ?? text;
  const address = plainAddress(bare);
  return isIP(address) === 0 ? undefined : address;
}
