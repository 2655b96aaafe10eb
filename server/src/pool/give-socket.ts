import type { ChildProcess, Serializable } from 'node:child_process';
import type { Socket } from 'node:net';
import { stopReading } from '../platform/network/close-at-once.js';

/**
 * Sends a message with a socket, which the other process owns from then on. Closes a socket that cannot be
 * sent.
 *
 * Node closes its own end only after the other process has confirmed. Until then it would read and discard
 * data that the client sends to the other process. So reading stops first.
 */
export function giveSocket(child: ChildProcess, message: Serializable, socket: Socket): void {
  if (socket.destroyed) return;
  stopReading(socket);
  // When a server closes, it asks the processes that have received its sockets. If these processes have
  // ended, it waits forever (`Server.prototype.close` in Node's lib/net.js). So the socket is detached from
  // its server.
  Reflect.set(socket, 'server', null);
  // The other process now has the connection. This destroys only the socket object.
  child.send(message, socket, {}, () => socket.destroy());
}
