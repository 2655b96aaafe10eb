import type { Socket } from 'node:net';
import { SUBPROTOCOL, type ServerDisconnectReason } from 'cloud-browser/protocol';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ViewerHandover } from '../../../host-protocol.js';
import { closeSocket, upgradeOf } from '../handshake.js';
import { endAfterError, ViewerSocket } from '../viewers/viewer-socket.js';

/** Maximum size of a viewer's message. A longer message ends the viewer's connection. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/**
 * Maximum number of frames of a viewer's message. A browser divides a message of the maximum size into a few
 * frames. The session counts messages, so a viewer could otherwise occupy the host with empty frames.
 */
const MAX_MESSAGE_FRAMES = 64;
/** Maximum number of pieces in which a frame arrives from the network. A packet usually has 1400 bytes. */
const MAX_FRAME_PIECES = 4_096;

/** Accepts a viewer. */
type Enter = (socket: WebSocket, viewer: ViewerHandover) => void;

/** Takes over viewers' connections from the service. Connections wait until the room is open. */
export class ViewerEntrance {
  readonly #server = new WebSocketServer({
    noServer: true,
    WebSocket: ViewerSocket,
    maxPayload: MAX_MESSAGE_BYTES,
    maxFragments: MAX_MESSAGE_FRAMES,
    maxBufferedChunks: MAX_FRAME_PIECES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  readonly #waiting = new Map<WebSocket, ViewerHandover>();
  #enter: Enter | undefined;

  /** Takes over a viewer's TCP connection. The service has read and allowed its upgrade request. */
  take(viewer: ViewerHandover, socket: Socket): void {
    const head = Buffer.from(viewer.head, 'base64');
    this.#server.handleUpgrade(upgradeOf(viewer.request, socket), socket, head, (webSocket) => {
      webSocket.on('error', () => endAfterError(webSocket));
      if (this.#enter) return this.#enter(webSocket, viewer);
      // The paused socket keeps the hello until the room is open, so no message is lost.
      webSocket.pause();
      this.#waiting.set(webSocket, viewer);
    });
  }

  /** Accepts the waiting viewers. Later viewers are accepted immediately. */
  open(enter: Enter): void {
    this.#enter = enter;
    for (const [socket, viewer] of this.#waiting) {
      enter(socket, viewer);
      socket.resume();
    }
    this.#waiting.clear();
  }

  /** Closes the waiting connections of a room that never opened. */
  close(reason: ServerDisconnectReason, message: string): void {
    for (const socket of this.#waiting.keys()) {
      socket.resume();
      closeSocket(socket, reason, message);
    }
    this.#waiting.clear();
  }
}
