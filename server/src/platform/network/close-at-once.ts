import type { Socket } from 'node:net';

/** Part of Node's stream handle that stops reading in the kernel. It has no public name. */
interface ReadingSocket {
  _handle?: { readStop?: () => void } | null;
}

/**
 * Time for the other side to read the last message. Destroying a socket with unread bytes may discard that
 * message.
 */
const FAREWELL_MS = 500;

/** Stops reading from a socket, even if it has listeners. */
export function stopReading(socket: Socket): void {
  (socket as unknown as ReadingSocket)._handle?.readStop?.();
}

/**
 * Ends a connection even if the other side continues to send. Writes a last message, stops reading, and
 * destroys the socket soon.
 */
export function closeAtOnce(socket: Socket, lastWords = ''): void {
  stopReading(socket);
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(timer));
}
