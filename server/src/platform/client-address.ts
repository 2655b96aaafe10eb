import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from './public-address.js';

/** What another node of ours has said about requests that it passed on. */
const told = new WeakMap<IncomingMessage, string>();

/** Notes the client of a request that another node of this service has passed on, and that is known to come from there. */
export function tellClientAddress(request: IncomingMessage, address: string): void {
  told.set(request, address);
}

/**
 * The address of the client behind a request. Each reverse proxy of ours appends to `X-Forwarded-For` whom it talks to, so
 * with `proxies` of them the client is that many entries from the end; what stands before is the client's own claim. Where a proxy says
 * nothing that is an address, it is the proxy's own.
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

/** The address of an entry. Some proxies add the port, and quotation marks. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const bare = /^(\d[\d.]*|\[[^\]]*\]):\d+$/.exec(text)?.[1] ?? text;
  const address = plainAddress(bare);
  return isIP(address) === 0 ? undefined : address;
}
