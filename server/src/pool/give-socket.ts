import type { ChildProcess, Serializable } from 'node:child_process';
import type { Socket } from 'node:net';
import { stopReading } from '../platform/close-at-once.js';

/**
 * Sends a message with a socket, which belongs to the other process from then on; one that cannot be sent is closed.
 *
 * Node closes our end only when the other process has confirmed, and until then keeps reading from it into nothing: on a
 * busy machine that would swallow what the peer answers to the other process. So we stop reading first.
 */
export function giveSocket(child: ChildProcess, message: Serializable, socket: Socket): void {
  if (socket.destroyed) return;
  stopReading(socket);
  // A server that knows where its sockets went asks those processes when it closes, and with none of them left it waits for ever
  // (`Server.prototype.close` in Node's lib/net.js). Without this the socket is ours until it is destroyed.
  Reflect.set(socket, 'server', null);
  // By now the connection is out of the socket's reach.
  child.send(message, socket, {}, () => socket.destroy());
}
