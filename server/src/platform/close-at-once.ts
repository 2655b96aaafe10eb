import type { Socket } from 'node:net';

/** The part of Node's stream handle that stops the kernel's bytes; it has no public name. */
interface ReadingSocket {
  _handle?: { readStop?: () => void } | null;
}

/** For the other side to read what was written last: a socket that is destroyed with unread bytes may take that along. */
const FAREWELL_MS = 500;

/** Reads nothing more of a socket, whoever listens. */
export function stopReading(socket: Socket): void {
  (socket as unknown as ReadingSocket)._handle?.readStop?.();
}

/** Ends a connection whose other side goes on sending: writes the last words, reads nothing more, and is gone soon. */
export function closeAtOnce(socket: Socket, lastWords = ''): void {
  stopReading(socket);
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(timer));
}
