import type { ChildProcess, Serializable } from 'node:child_process';
import type { Socket } from 'node:net';
import { stopReading } from '../platform/network/connections/close-at-once.js';

/**
 * Sends a message with a socket to a process. That process then owns the socket. Closes a socket that cannot
 * be sent.
 *
 * Node closes the socket in this process only after the other process has confirmed the message. Until then,
 * Node would read and discard data that the client sends to the other process. So this function stops reading
 * first.
 */
export function giveSocket(child: ChildProcess, message: Serializable, socket: Socket): void {
  if (socket.destroyed) return;
  stopReading(socket);
  // When a server closes, it waits for an answer from the processes that have received its sockets. If these
  // processes have ended, it waits forever (`Server.prototype.close` in Node's lib/net.js). So this line
  // detaches the socket from its server.
  Reflect.set(socket, 'server', null);
  // The other process now has the connection, so `destroy` closes only the socket of this process.
  child.send(message, socket, {}, () => socket.destroy());
}
