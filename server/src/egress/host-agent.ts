import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { BulkReader } from './answers/bulk-reader.js';
import type { SessionSockets } from './session-sockets.js';

/** Maximum number of idle connections to hosts that are kept for the session's next requests. */
const MAX_KEPT = 32;

const readers = new WeakMap<Socket, BulkReader>();

/**
 * Connections to hosts for the plain HTTP requests of one session. Each connection can be read without the
 * HTTP parser, see {@link readerOf}.
 */
export class HostAgent extends Agent {
  readonly #sockets: SessionSockets;

  /** @param keepOpenMs milliseconds for which a connection is kept */
  constructor(sockets: SessionSockets, keepOpenMs: number) {
    super({ keepAlive: true, timeout: keepOpenMs });
    this.#sockets = sockets;
    sockets.closeIdleBy(() => this.#dropKept(0));
  }

  /** Throws `EgressRefusal` if the session already has its maximum of connections. */
  override createConnection(options: ClientRequestArgs): Socket {
    const reader: BulkReader = new BulkReader((bytes) => {
      if (socket.listenerCount('data') > 0) return socket.push(Buffer.from(bytes));
      // The host sent data without a request. The parser would use this data as the answer to the next
      // request.
      socket.destroy();
      return false;
    });
    const socket: Socket = connect({ ...(options as TcpNetConnectOpts), onread: reader.onread });
    this.#dropKept(MAX_KEPT);
    this.#sockets.hold(socket);
    readers.set(socket, reader);
    return socket;
  }

  /**
   * Closes the kept connections to a host before a request that must not be repeated. The host may be closing
   * a kept connection at this moment, and the request would fail. A browser may then repeat the request, but
   * a proxy must not (RFC 9110, section 9.2.2).
   */
  dropKeptTo(host: string, port: number): void {
    for (const socket of this.freeSockets[this.getName({ host, port })] ?? []) this.#sockets.drop(socket);
  }

  /**
   * Closes kept connections until at most this number remains. Starts with the first hosts in the agent's
   * list.
   */
  #dropKept(most: number): void {
    const kept = Object.values(this.freeSockets).flatMap((sockets) => sockets ?? []);
    for (const socket of kept.slice(0, Math.max(0, kept.length - most))) this.#sockets.drop(socket);
  }
}

/** Returns the reader of a connection that a {@link HostAgent} made. Undefined for other connections. */
export function readerOf(socket: Socket): BulkReader | undefined {
  return readers.get(socket);
}
