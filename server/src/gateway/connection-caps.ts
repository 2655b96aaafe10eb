import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../platform/rates/rate-limiter.js';
import { plainAddress } from '../platform/network/addresses/public-address.js';

/**
 * Maximum numbers of open connections of the service. A connection that was passed to a session's host does
 * not count.
 */
export interface ConnectionLimits {
  inAll: number;
  /**
   * Maximum for one client address. Undefined if all connections come through the operator's own proxies.
   * Then every connection has the address of a proxy.
   */
  perAddress: number | undefined;
}

/** Closes connections above the limits before any data is read. */
export class ConnectionCaps {
  readonly #open = new Map<string, Set<Socket>>();

  constructor(private readonly limits: ConnectionLimits) {}

  /** Counts the connections of this server. */
  serve(server: Server): void {
    server.maxConnections = this.limits.inAll;
    server.on('connection', (socket: Socket) => this.#count(socket));
  }

  /** Stops counting a connection that was passed to another process. */
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
 * Addresses of counted sockets. They are stored here, because the `remoteAddress` of a socket is undefined
 * after the socket was closed or passed to another process.
 */
const addresses = new WeakMap<Socket, string>();

function addressOf(socket: Socket): string {
  return addresses.get(socket) ?? networkOf(plainAddress(socket.remoteAddress ?? ''));
}
