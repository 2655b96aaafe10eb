import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { BulkReader } from './bulk-reader.js';
import type { SessionSockets } from './session-sockets.js';

/** Connections to hosts that are kept for the session's next requests. */
const MAX_KEPT = 32;

const readers = new WeakMap<Socket, BulkReader>();

/** Connections to the hosts of one session's plain requests. Each can be read past the parser, see {@link readerOf}. */
export class HostAgent extends Agent {
  readonly #sockets: SessionSockets;

  /** @param keepOpenMs how long a connection is kept, in milliseconds */
  constructor(sockets: SessionSockets, keepOpenMs: number) {
    super({ keepAlive: true, timeout: keepOpenMs });
    this.#sockets = sockets;
  }

  /** Throws `EgressRefusal` when the session may have no more connections. */
  override createConnection(options: ClientRequestArgs): Socket {
    const reader: BulkReader = new BulkReader((bytes) => {
      if (socket.listenerCount('data') > 0) return socket.push(Buffer.from(bytes));
      // Nobody asked: it would be taken for the answer to the next request.
      socket.destroy();
      return false;
    });
    const socket: Socket = connect({ ...(options as TcpNetConnectOpts), onread: reader.onread });
    this.#dropKept(MAX_KEPT);
    if (!this.#sockets.take(socket)) {
      this.#dropKept(0);
      this.#sockets.hold(socket);
    }
    readers.set(socket, reader);
    return socket;
  }

  /**
   * Closes what is kept to a host, for a request that cannot be asked once more: a host may be closing its end at this moment. A browser
   * of its own asks again then, which a proxy must not (RFC 9110, section 9.2.2).
   */
  dropKeptTo(host: string, port: number): void {
    for (const socket of this.freeSockets[this.getName({ host, port })] ?? []) this.#sockets.drop(socket);
  }

  /** Closes what is kept beyond so many connections, those to the hosts first that were asked first. */
  #dropKept(most: number): void {
    const kept = Object.values(this.freeSockets).flatMap((sockets) => sockets ?? []);
    for (const socket of kept.slice(0, Math.max(0, kept.length - most))) this.#sockets.drop(socket);
  }
}

/** What reads a connection that a {@link HostAgent} made. */
export function readerOf(socket: Socket): BulkReader | undefined {
  return readers.get(socket);
}
