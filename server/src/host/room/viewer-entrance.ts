import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { SUBPROTOCOL, type ServerDisconnectReason } from 'cloud-browser/protocol';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ViewerHandover } from '../../host-protocol.js';
import { closeSocket } from './handshake.js';

/** A viewer's largest message; a longer one ends its connection. */
const MAX_MESSAGE_BYTES = 256 * 1024;

/** Lets a viewer in. */
type Enter = (socket: WebSocket, viewer: ViewerHandover) => void;

/** Takes viewers' connections over from the service. Those that come before the room is open wait for it. */
export class ViewerEntrance {
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  readonly #waiting = new Map<WebSocket, ViewerHandover>();
  #enter: Enter | undefined;

  /** Takes over a viewer's TCP connection whose upgrade request the service has read and allowed. */
  take(viewer: ViewerHandover, socket: Socket): void {
    const head = Buffer.from(viewer.head, 'base64');
    this.#server.handleUpgrade(requestOf(viewer, socket), socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate());
      if (this.#enter) return this.#enter(webSocket, viewer);
      // The paused socket keeps the hello until the room is open, so no message is lost.
      webSocket.pause();
      this.#waiting.set(webSocket, viewer);
    });
  }

  /** Lets in those who wait, and at once whoever comes from now on. */
  open(enter: Enter): void {
    this.#enter = enter;
    for (const [socket, viewer] of this.#waiting) {
      enter(socket, viewer);
      socket.resume();
    }
    this.#waiting.clear();
  }

  /** Sends away those who still wait for a room that never opened. */
  close(reason: ServerDisconnectReason, message: string): void {
    for (const socket of this.#waiting.keys()) {
      socket.resume();
      closeSocket(socket, reason, message);
    }
    this.#waiting.clear();
  }
}

/** The upgrade request as `ws` wants it: the service has parsed it, this process has only the socket. */
function requestOf(viewer: ViewerHandover, socket: Socket): IncomingMessage {
  const request = new IncomingMessage(socket);
  request.method = viewer.request.method;
  request.url = viewer.request.url;
  Object.assign(request.headers, viewer.request.headers);
  return request;
}
