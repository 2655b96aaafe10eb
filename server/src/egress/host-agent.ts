import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { BulkReader } from './bulk-reader.js';

const readers = new WeakMap<Socket, BulkReader>();

/** Connections to the hosts of one session's plain requests. Each can be read past the parser, see {@link readerOf}. */
export class HostAgent extends Agent {
  override createConnection(options: ClientRequestArgs): Socket {
    const reader: BulkReader = new BulkReader((bytes) => {
      if (socket.listenerCount('data') > 0) return socket.push(Buffer.from(bytes));
      // Nobody asked: it would be taken for the answer to the next request.
      socket.destroy();
      return false;
    });
    const socket: Socket = connect({ ...(options as TcpNetConnectOpts), onread: reader.onread });
    readers.set(socket, reader);
    return socket;
  }
}

/** What reads a connection that a {@link HostAgent} made. */
export function readerOf(socket: Socket): BulkReader | undefined {
  return readers.get(socket);
}
