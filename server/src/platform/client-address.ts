import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from './public-address.js';

/**
 * The address of the client behind a request. Each reverse proxy of ours appends to `X-Forwarded-For` whom it talks to, so
 * with `proxies` of them the client is that many entries from the end; what stands before is the client's own claim.
 */
export function clientAddress(request: IncomingMessage, proxies: number): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  if (proxies === 0) return peer;
  const header = [request.headers['x-forwarded-for'] ?? ''].flat().join(',');
  const chain = header
    .split(',')
    .map((entry) => plainAddress(entry.trim()))
    .filter((entry) => isIP(entry) !== 0);
  return chain.at(-proxies) ?? chain[0] ?? peer;
}
