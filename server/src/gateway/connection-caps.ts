import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../platform/rate-limiter.js';
import { plainAddress } from '../platform/public-address.js';

/** How many connections the service has open; those of viewers do not count once their session's host has them. */
export interface ConnectionLimits {
  inAll: number;
  /** Undefined: all come through proxies of ours, which have as many as they need. */
  perAddress: number | undefined;
}

/** Drops connections beyond the limits, before a byte of them is read. */
export class ConnectionCaps {
  readonly #open = new Map<string, Set<Socket>>();

  constructor(private readonly limits: ConnectionLimits) {}

  /** Counts the connections of this server. */
  serve(server: Server): void {
    server.maxConnections = this.limits.inAll;
    server.on('connection', (socket: Socket) => this.#count(socket));
  }

  /** The connection is another process's now. */
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

/** A socket that is closed, or given away, does not know its peer any more. */
const addresses = new WeakMap<Socket, string>();

function addressOf(socket: Socket): string {
  return addresses.get(socket) ?? networkOf(plainAddress(socket.remoteAddress ?? ''));
}
