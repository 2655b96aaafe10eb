import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCodeOf, type ServerDisconnectReason } from 'cloud-browser/protocol';
import { WebSocketServer } from 'ws';

/** How long a refused viewer may take to close the connection. */
const GOODBYE_TIMEOUT_MS = 3_000;
/** A close frame holds 125 bytes, two of them the code. */
const MAX_MESSAGE_BYTES = 120;

/**
 * Refuses viewers in a way their page can read: a browser hides the status of a refused upgrade, so the handshake is
 * completed and the socket closed with a code.
 */
export class ViewerRefusals {
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: 65_536,
    // Whatever is offered: a browser drops a connection that answers with none of its protocols.
    handleProtocols: (offered) => offered.values().next().value ?? false,
  });

  /** Takes over the socket. `message`: a sentence for people. */
  refuse(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    reason: ServerDisconnectReason,
    message: string,
  ): void {
    this.#server.handleUpgrade(request, socket, head, (client) => {
      const timer = setTimeout(() => client.terminate(), GOODBYE_TIMEOUT_MS);
      client.on('error', () => client.terminate());
      client.on('close', () => clearTimeout(timer));
      client.close(closeCodeOf(reason), fitting(message));
    });
  }
}

/** As much of a text as a close frame holds. */
function fitting(message: string): string {
  let text = message;
  while (Buffer.byteLength(text) > MAX_MESSAGE_BYTES) text = text.slice(0, -1);
  return text;
}
