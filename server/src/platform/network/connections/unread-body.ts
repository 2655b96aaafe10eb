import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { closeAtOnce } from './close-at-once.js';

/**
 * Maximum size in bytes of an unread body that Node reads and discards, so that the client can use its
 * connection again. After a larger body, the service closes the connection. The service does not close the
 * connection after each refusal, because a program with many refusals would then reach the connection limit
 * of its address. The limit also counts connections that the service has closed and the client has not.
 */
const SKIPPED_BYTES = 64 * 1024;

/** Returns true if the connection should close, because the rest of the body may be long. */
export function hasLongUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SKIPPED_BYTES;
}

/**
 * Closes the connection of a request after its answer, and does not read the rest of the body. The answer
 * must have the header `Connection: close`.
 */
export function leaveUnread(socket: Socket): void {
  // Node calls `destroySoon` after it has written the answer. Node's own `destroySoon` would read the rest of
  // the request first.
  socket.destroySoon = () => closeAtOnce(socket);
}
