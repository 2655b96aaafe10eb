import type { ChildProcess, Serializable } from 'node:child_process';
import type { Socket } from 'node:net';
import { stopReading } from '../platform/close-at-once.js';

/**
 * Sends a message with a socket, which the other process owns from then on. Closes a socket that cannot be
 * sent.
 *
 * Node closes its own end only after the other process has confirmed. Until then it keeps reading and
 * discards the data. On a busy machine that would lose data that the client sends to the other process. So
 * reading stops first.
 */
export function giveSocket(child: ChildProcess, message: Serializable, socket: Socket): void {
  if (socket.destroyed) return;
  stopReading(socket);
  // A server that knows the processes of its sockets asks them when it closes. With none of them left it
  // waits forever (`Server.prototype.close` in Node's lib/net.js). Without a server, the socket belongs to
  // this process until it is destroyed.
  Reflect.set(socket, 'server', null);
  // By now the connection is detached from this socket.
  child.send(message, socket, {}, () => socket.destroy());
}
