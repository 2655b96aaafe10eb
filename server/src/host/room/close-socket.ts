import { closeCodeOf, type ServerDisconnectReason } from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';

/** A close frame holds 125 bytes, two of them the code (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 120;

/** Closes a connection and says why; a sentence that is too long loses its end. */
export function closeSocket(socket: WebSocket, reason: ServerDisconnectReason, message: string): void {
  let text = message;
  while (Buffer.byteLength(text) > MAX_REASON_BYTES) text = text.slice(0, -1);
  socket.close(closeCodeOf(reason), text);
}
