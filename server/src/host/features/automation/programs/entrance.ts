import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { AutomationHandover } from '../../../../host-protocol.js';
import { upgradeOf } from '../../../room/handshake.js';

/** Maximum size of a program's message. Playwright sends the contents of uploaded files in one message. */
const MAX_MESSAGE_BYTES = 100_000_000;
/**
 * Maximum number of frames of a program's message. The clients of the DevTools protocol send a message in one
 * frame. The session counts messages, so a program could otherwise occupy the host with empty frames.
 */
const MAX_MESSAGE_FRAMES = 1_024;

/**
 * Completes the WebSocket handshakes of programs. The service has already read and allowed their upgrade
 * requests.
 */
export class ProgramEntrance {
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    maxFragments: MAX_MESSAGE_FRAMES,
    perMessageDeflate: false,
    handleProtocols: () => false,
  });

  /** Takes over a program's TCP connection. */
  take({ request, head }: AutomationHandover, socket: Socket, enter: (socket: WebSocket) => void): void {
    socket.on('error', () => socket.destroy());
    this.#server.handleUpgrade(
      upgradeOf(request, socket),
      socket,
      Buffer.from(head, 'base64'),
      (webSocket) => {
        // If a message breaks the WebSocket protocol, the library itself closes the connection with a code.
        webSocket.on('error', () => undefined);
        enter(webSocket);
      },
    );
  }
}
