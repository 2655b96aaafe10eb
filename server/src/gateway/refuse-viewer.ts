import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCodeOf, type ServerDisconnectReason } from 'cloud-browser/protocol';
import { WebSocketServer } from 'ws';
import { closeReasonOf } from '../platform/close-reason.js';

/** Time in milliseconds within which a refused viewer must close the connection. */
const GOODBYE_TIMEOUT_MS = 3_000;
/**
 * Maximum number of messages and pings of a refused viewer until it closes the connection. A client may have
 * sent its first messages before it received the reason. Without this limit, clients without a token could
 * occupy the service, which reads all messages until the client closes the connection.
 */
const MAX_MESSAGES = 16;

/**
 * Refuses viewers with a reason that their page can read. Browsers hide the status of a refused upgrade. So
 * this class completes the handshake, and then closes the WebSocket with a close code.
 */
export class ViewerRefusals {
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: 65_536,
    maxFragments: MAX_MESSAGES,
    // Selects the first offered protocol, because a browser closes a connection if none of its protocols is
    // selected.
    handleProtocols: (offered) => offered.values().next().value ?? false,
  });

  /** Refuses a viewer and takes over the socket. `message`: a sentence for people. */
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
      let left = MAX_MESSAGES;
      const count = () => {
        if (left-- === 0) client.terminate();
      };
      client.on('message', count).on('ping', count).on('pong', count);
      client.close(closeCodeOf(reason), closeReasonOf(message));
    });
  }
}
