import { closeCodeOf, type ServerDisconnectReason } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { GOODBYE_MS, terminateAfter } from '../handshake.js';

/** Sentences for the viewer, by the codes with which the WebSocket library ends a connection itself. */
const MESSAGES = new Map([
  [1002, 'A message broke the rules of WebSockets.'],
  [1007, 'A message was not valid UTF-8.'],
  [1008, 'A message came in too many frames or pieces.'],
  [1009, 'A message was larger than a session accepts.'],
]);
const REJECTED: ServerDisconnectReason = 'rejected';

/**
 * Connection of a viewer. If the WebSocket library refuses a message, for example because it is too large,
 * the connection ends with `rejected`. The library reads no further messages.
 */
export class ViewerSocket extends WebSocket {
  override close(code?: number, data?: string | Buffer): void {
    const message = code === undefined ? undefined : MESSAGES.get(code);
    if (message === undefined) super.close(code, data);
    else super.close(closeCodeOf(REJECTED), message);
  }
}

/**
 * Ends a connection after an error. If a close reason was sent, the viewer gets time to receive it. A viewer
 * that is busy sending reads late, and an immediate end of the connection would discard the reason.
 */
export function endAfterError(socket: WebSocket): void {
  if (socket.readyState === socket.CLOSING) terminateAfter(socket, GOODBYE_MS);
  else socket.terminate();
}
