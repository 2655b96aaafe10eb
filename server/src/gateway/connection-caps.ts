import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../platform/rate-limiter.js';
import { plainAddress } from '../platform/public-address.js';

/**
 * Limits for the open connections of the service. Viewers' connections no longer count after their session's
 * host has taken them.
 */
export interface ConnectionLimits {
  inAll: number;
  /** Undefined: all connections come through our own proxies, which need no limit. */
  perAddress: number | undefined;
}

/** Drops connections beyond the limits before reading a byte. */
export class ConnectionCaps {
  readonly #open = new Map<string, Set<Socket>>();

  constructor(private readonly limits: ConnectionLimits) {}

  /** Counts the connections of this server. */
  serve(server: Server): void {
    server.maxConnections = this.limits.inAll;
    server.on('connection', (socket: Socket) => this.#count(socket));
  }

  /** Stops counting a connection that another process has taken. */
  forget(socket: Socket): void {
    const address = addressOf(socket);
    const open = this.#open.get(address);
    open?.delete(socket);
    if (open?.size === 0) this.#open.delete(address);
  }

  #count(socket: Socket): void {
    const { perAddress } = this.limits;
    if (perAddress === undefined) return;
    const address = addressOf(socket);
    const open = this.#open.get(address) ?? new Set();
    if (open.size >= perAddress) {
      socket.destroy();
      return;
    }
    this.#open.set(address, open.add(socket));
    addresses.set(socket, address);
    socket.once('close', () => this.forget(socket));
  }
}

/**
 * Addresses of counted sockets. A closed socket, or one given to another process, no longer knows its peer.
 */
const addresses = new WeakMap<Socket, string>();

function addressOf(socket: Socket): string {
  return addresses.get(socket) ?? networkOf(plainAddress(socket.remoteAddress ?? ''));
}
