import type { Socket } from 'node:net';

/** Internal part of a socket in Node that stops reading from the kernel. Node has no public name for it. */
interface ReadingSocket {
  _handle?: { readStop?: () => void } | null;
}

/**
 * Milliseconds in which the other side can read the last message, before the socket is destroyed. If the
 * socket has unread bytes, its destruction may discard that message.
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
